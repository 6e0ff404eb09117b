#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// InvalidArgument if the body of `event`, from a file, is none of this service.
absl::Status ValidateEvent(const model::Service& service, const model::Event& event);

// Replays a path from a file through the plain semantics. InvalidArgument if a step is none of this
// service's, FailedPrecondition if the path does not replay or does not break the invariant.
absl::StatusOr<model::Violation> ReplayRecorded(const model::Service& service,
                                                const model::SystemCut& start,
                                                const std::string& invariant, model::Path path);

}  // namespace foretell::agent
