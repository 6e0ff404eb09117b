#pragma once

// The plain semantics: whole states, no ids, no memo, no reduction. Slow and obvious. Every
// reported path is replayed here, and the naive search that judges all engines is built on it.

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/cut.h"
#include "model/event.h"
#include "model/report.h"
#include "model/service.h"
#include "model/valid_cut.h"

namespace foretell::model {

// Invariants a service may have, local assertions included.
inline constexpr size_t kInvariantsMax = 64;
// InvalidArgument if `service` is not one that can be checked: too many invariants, names twice.
absl::Status ValidateService(const Service& service);
// InvalidArgument, naming the thing, if `service` cannot be checked or `cut` cannot be a state of
// `service`.
absl::Status ValidateCut(const Service& service, const SystemCut& cut);

// One system, moved step by step.
class PlainSystem {
 public:
  // REQUIRES: `cut` is valid for `service`, which outlives this.
  PlainSystem(const Service& service, SystemCut cut);

  const SystemCut& state() const { return state_; }
  // The state with messages in a canonical order: equal states compare equal.
  SystemCut Canonical() const;

  // Every step that is possible now, one per event and sequence of choices.
  std::vector<PathStep> Enabled() const;
  // Moves. FailedPrecondition, naming the step and what is missing, if `step` is not possible;
  // then nothing changes. On success returns the messages sent.
  absl::StatusOr<std::vector<Message>> Apply(const PathStep& step);

  // Names of the invariants that do not hold now, in the service's order, kLocalAssertions first.
  std::vector<std::string> Violated() const;
  // The nodes because of which `invariant` does not hold now; empty if it holds.
  std::vector<uint32_t> Culprits(const std::string& invariant) const;
  // Why `invariant` does not hold now, for people; empty if it holds.
  std::string Explain(const std::string& invariant) const;

 private:
  bool Deliverable(size_t index) const;
  // Where in flight; the number of messages in flight if nowhere.
  size_t FindDeliverable(const Message& wanted) const;
  // Whether the event of `step` can happen now, whatever its handler will choose.
  absl::Status Possible(const PathStep& step) const;
  void Post(const Message& message);

  const Service& service_;
  SystemCut state_;
};

// The steps of a replay, for people and for checks.
struct ReplayedStep {
  SystemCut after;
  std::vector<Message> sent;
};

// Replays `path` from `start`. Fails, naming the step, if a step is not possible.
absl::StatusOr<std::vector<ReplayedStep>> Replay(const Service& service, const SystemCut& start,
                                                 const Path& path);
absl::StatusOr<std::vector<ReplayedStep>> Replay(const Service& service, ValidCut start,
                                                 const Path& path);

// The gate in front of every report: `path` replays and breaks `invariant` at its end. Returns the
// finished violation.
absl::StatusOr<Violation> Confirm(const Service& service, const SystemCut& start,
                                  const std::string& invariant, Path path);
absl::StatusOr<Violation> Confirm(const Service& service, ValidCut start,
                                  const std::string& invariant, Path path);

}  // namespace foretell::model
