#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"

namespace foretell::agent {

// The service threw from where nothing may be thrown; the text names the place.
class ServiceThrew : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs `make`, and wraps the service in a view that notes what runs of it, for a Guard to name if
// it misbehaves. What handlers throw breaks a local assertion, as a message to a node that does not
// exist does; what else throws comes out as ServiceThrew. InvalidArgument if `make` throws.
absl::StatusOr<model::System> MakeWatched(
    const std::string& name, const std::function<absl::StatusOr<model::System>()>& make);

}  // namespace foretell::agent
