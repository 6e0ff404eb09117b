#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace foretell::model::foreign {

// Somebody who answers requests of foretell_service.h. For several threads at once.
class Carrier {
 public:
  virtual ~Carrier() = default;

  // Asks, waits, and puts the answer into `reply`. Fails with words for people: Unimplemented if
  // the service does not know `op`, InvalidArgument if it cannot make sense of the request,
  // Internal if it says that it failed, and Aborted if it died of it, did not answer, or answered
  // nonsense.
  virtual absl::Status Call(uint32_t op, std::string_view request, std::string& reply) = 0;

  // The request that opens `system`. Whoever is asked about that system later has had it before.
  virtual absl::Status Open(uint32_t system, const std::string& request, std::string& reply) = 0;
  virtual void Close(uint32_t system) = 0;
};

}  // namespace foretell::model::foreign
