#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/search/fairness/lasso_search.h"
#include "foretell/search/liveness/autopsy.h"
#include "foretell/search/liveness/critical.h"
#include "foretell/search/liveness/death_sets.h"
#include "foretell/search/liveness/fates.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/liveness/losses.h"
#include "foretell/search/recovery/oracle.h"
#include "foretell/search/recovery/property_view.h"

namespace foretell::search {

// One search of engine `live`: everything that it takes, for one predicate and one start.
class LiveSearch {
 public:
  // REQUIRES: `start` is valid for `service`; `property` is the number of a liveness predicate.
  LiveSearch(const model::Service& service, size_t property, const LiveOptions& options,
             const model::SystemCut& start);

  absl::StatusOr<model::Report> Run(model::Budget& budget);

 private:
  // The outcome of a phase. What has a violation is decided; without one the search goes on.
  using Found = absl::StatusOr<std::optional<model::Violation>>;

  void Reduce(model::Budget& budget);
  Found Exact(model::Budget& budget);
  Found Explain();
  Found ExplainLoss();
  Found CoverAll(model::Budget& budget);
  Found ExplainCovered(CoverSearch& cover, uint32_t dead);
  Found Probe(model::Budget& budget);
  bool StartIsDead(model::Budget& budget);
  Found Along(const model::Path& path);
  Found Cycle();
  model::Violation CycleViolation(const Lasso& lasso) const;
  void Describe(const std::vector<CriticalGroup>& groups, model::Violation& violation);
  bool KnowsDeath() const;
  bool Recovers() const;
  bool Complete() const;
  std::string LiveText() const;
  model::Report Conclude(std::optional<model::Violation> violation, const model::Budget& budget);
  std::optional<model::CriticalInterval> Interval(const std::optional<model::Violation>& violation);
  void Undecided(model::Liveness& liveness, const model::Budget& budget) const;

  const model::Service& service_;
  const size_t property_;
  const LiveOptions& options_;
  const model::SystemCut& start_;
  const PropertyView view_;
  const bool datagrams_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  RecoveryMoves moves_;
  GlobalSpace space_;
  const SearchOptions search_options_;
  DeathSets death_sets_;
  StateSearch search_;
  Fates fates_;
  Oracle oracle_;
  Losses losses_;
  Autopsy autopsy_;
  uint32_t judged_ = 0;    // States whose fate was asked for.
  bool capped_ = false;    // A copy got lost on the way.
  bool covered_ = false;   // All combinations of node states are alive, for any number of copies.
  bool no_cycle_ = false;  // None that is fair, in all states that there are.
  Oracle::Answer suspected_;  // Of the last state that nobody could decide ...
  uint64_t suspects_ = 0;     // ... of so many.
  model::Path suspect_path_;  // The way to it, if the search has one.
  std::vector<std::string> notes_;
};

}  // namespace foretell::search
