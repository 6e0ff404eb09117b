#pragma once

#include <stdexcept>

namespace foretell::model::foreign {

// Thrown by a service that found out that it is not what it claims to be, so that nothing can be
// concluded from what it said. Not a finding about the system, and not the end of one handler.
class ServiceFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace foretell::model::foreign
