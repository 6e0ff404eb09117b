#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/violation_search.h"

namespace foretell::predictors {

inline constexpr const char* kLiveEngine = "live";

// What may happen on the way into death, besides what can be counted on.
enum class Faults : uint8_t { kNone, kAny };

// The number of events of `path` that nobody may count on: faults, and adverse actions.
size_t FaultsOf(const model::Service& service, const model::Path& path);

// The outcome of a search for a way into death. Its path ends with the critical step; it is empty
// if the start is dead itself, or once what is in flight is lost.
struct DeathOutcome : SearchOutcome {
  std::optional<model::Violation> violation;  // Set iff there is a path, which is its own.
  bool refuted = false;  // There was one, and a call that nobody imagined brings it back.
};

// Searches the focus of `space` with engine `live` for a way to where the liveness predicate
// `property` can never hold again. What is found is confirmed from the whole cut, and against
// calls that nobody imagined: nothing is dead that one of them brings back.
absl::StatusOr<DeathOutcome> SearchForDeath(const model::Service& service,
                                            const model::Imagined& space,
                                            const std::string& property, Faults faults,
                                            model::Budget& budget);

// The finished violation, proved and checked, if `path` leads from `start` to where `property` can
// never hold again, whatever the application calls. Nothing if that was not proved. Fails if the
// path does not replay.
absl::StatusOr<std::optional<model::Violation>> ConfirmDeath(const model::Service& service,
                                                             const model::SystemCut& start,
                                                             const std::string& property,
                                                             const model::Path& path,
                                                             model::Budget& budget);

// Searches the focus of `space` for what `violation` is, be it a broken invariant or a death; of
// those, for one that takes no fault: what a fault would bring is another risk, which is told, and
// planned for once the fault has happened.
absl::StatusOr<SearchOutcome> SearchForSame(const model::Service& service,
                                            const model::Imagined& space,
                                            const model::Violation& violation,
                                            model::Budget& budget);

// Whether the predicate can come to hold from the cut of `space`, by the oracle of engine `live`.
// The steps of a shortest way, if it can.
absl::StatusOr<std::optional<size_t>> StepsToLive(const model::Service& service,
                                                  const model::Imagined& space,
                                                  const std::string& property,
                                                  model::Budget& budget);

}  // namespace foretell::predictors
