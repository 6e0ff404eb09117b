#include "foretell/agent/recorded/recorded_path.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {

using model::EventKind;

absl::Status ValidateEvent(const model::Service& service, const model::Event& event) {
  const bool valid = event.kind == EventKind::kDeliver  ? service.ValidMessage(event.body)
                     : event.kind == EventKind::kAction ? service.ValidAction(event.body)
                                                        : event.body.empty();
  if (valid) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("its ", event.body.size(), " bytes are no ",
                                                 model::KindName(event.kind),
                                                 " event of this service"));
}

absl::StatusOr<model::Violation> ReplayRecorded(const model::Service& service,
                                                const model::SystemCut& start,
                                                const std::string& invariant, model::Path path) {
  // Replay renders what it refuses, so bodies must be known to be of this service before it.
  for (size_t i = 0; i < path.size(); ++i) {
    const absl::Status valid = ValidateEvent(service, path[i].event);
    if (valid.ok()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("step ", i + 1, " of ", path.size(), ": ", std::string(valid.message())));
  }
  auto violation = model::Confirm(service, start, invariant, std::move(path));
  // Of our own path it would be our own bug; a file may say anything.
  if (violation.status().code() == absl::StatusCode::kInternal) {
    return absl::FailedPreconditionError(std::string(violation.status().message()));
  }
  return violation;
}

}  // namespace foretell::agent
