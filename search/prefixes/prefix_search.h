#pragma once

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/report.h"
#include "foretell/search/liveness/autopsy.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/recovery/oracle.h"
#include "foretell/search/recovery/property_view.h"
#include "foretell/search/recovery/walker.h"

namespace foretell::search {

// Looks for death from many starts, with one oracle that remembers for all of them.
class PrefixSearch {
 public:
  // REQUIRES: `property` is the number of a liveness predicate. All outlive this.
  PrefixSearch(const model::Service& service, size_t property, const LiveOptions& options);

  struct Found {
    model::Violation violation;  // With its proof, checked again.
    size_t from = 0;             // The cut that its path starts from.
    std::optional<model::CriticalInterval> interval;
  };
  using Result = absl::StatusOr<std::optional<Found>>;

  // Judges the cuts of a run, the oldest first: fates() has one answer each. The first dead one is
  // reported with the way from the cut before it, if that is not too long to be found, and else as
  // dead from its start.
  Result Recorded(std::span<const model::SystemCut> cuts, model::Budget& budget);
  const std::vector<model::CutFate>& fates() const { return fates_; }

  // MaceMC's prefix-based search: walks to states in which the predicate holds, a search of what
  // can happen next there, faults and all, and the oracle's word on its edge. REQUIRES: Covers.
  Result FromLiveExecutions(const model::SystemCut& start, model::Budget& budget);
  uint64_t executions() const { return executions_; }

  // False if a node is absent that the predicate is about.
  bool Covers(const model::SystemCut& cut) const;

 private:
  model::CutFate FateOf(const model::SystemCut& cut, model::Budget& budget);
  std::optional<model::Path> WayBetween(const model::SystemCut& from, const model::SystemCut& to,
                                        model::Budget& budget);
  std::optional<model::Path> LiveExecution(const model::SystemCut& start, model::Budget& budget);
  std::optional<model::Path> DeathFrom(const model::SystemCut& prefix, model::Budget& budget);
  Result Examine(const model::SystemCut& start, const model::Path& path, model::Budget& budget);

  const model::Service& service_;
  const LiveOptions& options_;
  const PropertyView view_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  RecoveryMoves moves_;
  Oracle oracle_;
  Walker walker_;
  Autopsy autopsy_;
  StateStore begun_;  // States in which the predicate holds and that were gone on from.
  std::vector<model::CutFate> fates_;
  uint64_t executions_ = 0;
};

}  // namespace foretell::search
