#pragma once

// The plain semantics: whole states, no ids, no memo, no reduction. Slow and obvious. Every
// reported path is replayed here, and the naive search that judges all engines is built on it.

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"

namespace foretell::model {

// Invariants a service may have, local assertions included.
inline constexpr size_t kInvariantsMax = 64;
// InvalidArgument if `service` is not one that can be checked: too many invariants, names twice,
// interchangeable nodes that do not exist or are named twice.
absl::Status ValidateService(const Service& service);
// InvalidArgument, naming the thing, if `service` cannot be checked or `cut` cannot be a state of
// `service`.
absl::Status ValidateCut(const Service& service, const SystemCut& cut);

// The send that a message came from.
struct SentBy {
  size_t step = 0;   // The number of steps before the one that sent it.
  size_t index = 0;  // Its place among that step's messages.
  friend bool operator==(const SentBy&, const SentBy&) = default;
};

// The effects of a step besides changing the state of its node.
struct StepEffect {
  std::vector<Message> sent;
  // Deliveries: where the message was sent; nothing if it was in flight at the start.
  std::optional<SentBy> sent_by;
  std::vector<std::string> choice_labels;  // As HandlerResult has them.
};

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
  // then nothing changes.
  absl::StatusOr<StepEffect> Apply(const PathStep& step);

  // True iff this is a terminal state: nothing is possible, and nothing is in flight.
  bool Stuck() const;
  // Names of the invariants that do not hold now, in the service's order, kLocalAssertions first.
  std::vector<std::string> Violated() const;
  // The nodes because of which `invariant` does not hold now; empty if it holds.
  std::vector<uint32_t> Culprits(const std::string& invariant) const;
  // Why `invariant` does not hold now, for people; empty if it holds.
  std::string Explain(const std::string& invariant) const;

 private:
  // The nodes that break an invariant together; empty if it holds, or is not asked for here.
  std::vector<uint32_t> Breakers(size_t invariant) const;
  bool Deliverable(size_t index) const;
  // Where in flight; the number of messages in flight if nowhere.
  size_t FindDeliverable(const Message& wanted) const;
  // OK if the event of `step` can happen now, whatever its handler will choose.
  absl::Status Possible(const PathStep& step) const;
  // Takes the message at `index` out of flight; returns where it was sent.
  std::optional<SentBy> Take(size_t index);
  // Loses what is in flight on streams that `step` cuts.
  void Cut(const PathStep& step);
  void Post(const Message& message, SentBy sent_by);

  const Service& service_;
  SystemCut state_;
  std::vector<std::optional<SentBy>> sent_by_;  // As state_.in_flight; nothing: from the start.
  size_t steps_ = 0;
};

// The steps of a replay, for people and for checks.
struct ReplayedStep {
  SystemCut after;
  StepEffect effect;
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
