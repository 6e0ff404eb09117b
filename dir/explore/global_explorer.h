#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "foretell/dir/explore/component_explorer.h"
#include "foretell/dir/explore/composer.h"
#include "foretell/dir/explore/deviations.h"
#include "foretell/dir/explore/job_engine.h"
#include "foretell/dir/explore/local_explorer.h"
#include "foretell/dir/explore/memory_meter.h"
#include "foretell/dir/explore/skeleton_set.h"
#include "foretell/dir/explore/skeleton_visitor.h"
#include "foretell/dir/journal/journal.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/skeleton.h"
#include "foretell/model/budget.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::dir {

// The counts of an exploration: so far, or in the end.
struct Tally {
  uint64_t skeletons = 0;  // Global ones.
  // Complete local traces of all components that are part of a global skeleton. Of a component that
  // is divided, all that were explored in its parts. Never less than it was before.
  uint64_t local_traces = 0;
  // Local traces of all components that were explored in this run: also those to which others would
  // have reacted otherwise than in the environment they were explored in. In the end those have
  // skeletons of their own.
  uint64_t explored_traces = 0;
  // Global traces that differ and that the skeletons stand for (n_g of section 5.1). Exact below
  // 2^53.
  double global_traces = 0;
  uint64_t units = 0;            // Pairs of component and environment that were explored.
  uint64_t queue = 0;            // Units that were not explored yet.
  uint64_t branchings = 0;       // Behaviours that deviate from a skeleton they could be part of.
  uint64_t compositions = 0;     // Branchings that were composed: the others would repeat one.
  uint64_t transitions = 0;      // Distinct prefixes of local traces.
  uint64_t blocked = 0;          // Sequences that local explorers gave up as redundant.
  uint64_t longest = 0;          // Events of the longest global trace.
  uint64_t inner_skeletons = 0;  // Skeletons of the parts of components that are divided in turn.
  uint64_t bytes = 0;
};

// The algorithm of section 3.4. Finds every global skeleton of the system and, by local explorers,
// every local trace of its components.
//
// G is the SkeletonSet, each skeleton with a complete trace. For each of them and each component,
// finding the component's traces in that environment is a unit of work for a local explorer.
// Behaviours of the component that deviate from the skeleton are B; each is composed with the
// skeleton, run to completion, and added to G. Because every unit covers all traces of its
// component there, a deviation has to be composed with the skeletons of its own environment only:
// the index by environment takes the place of matching G against B.
class GlobalExplorer {
 public:
  // An explorer of the whole system. All outlive this.
  GlobalExplorer(const CheckSetting& setting, Checker checker, JobEngine& jobs);
  // An explorer of the parts of `component`, which is one of `whole`; `setting` has the division.
  GlobalExplorer(const CheckSetting& setting, NumberedTable& table, const CheckSetting& whole,
                 ComponentId component, Checker checker, JobEngine& jobs);
  ~GlobalExplorer();

  // Sets the messages that may come from outside, from here on. REQUIRES: parts of a component.
  void Enter(const Environment& environment) { composer_.Enter(environment); }
  // As ComponentExplorer::Attach.
  void Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop);

  // The journal, to which every state change is written from here on; outlives this.
  void set_journal(Journal* journal) { journal_ = journal; }
  // Takes results of units that were explored in an earlier run. REQUIRES: before Explore.
  void Resume(std::vector<UnitResult> results);

  // Called now and then.
  using Progress = std::function<void(const Tally&)>;

  // True if nothing is left to find: not if the budget is spent, the visitor ended it, or a trace
  // was too long. Forgets the skeletons of an earlier call, but nothing about components. The
  // visitor may be null.
  bool Explore(model::Budget& budget, SkeletonVisitor* visitor, const Progress& progress);

  Tally tally() const;
  // Fills in global_traces, which takes a while.
  void CountTraces(Tally& tally) const;
  // The number of traces that a skeleton stands for.
  double TraceCount(const Skeleton& skeleton) const;
  const std::vector<std::unique_ptr<Skeleton>>& skeletons() const { return skeletons_.all(); }
  Composer& composer() { return composer_; }
  // The composer's table.
  model::TransitionTable& table() { return table_.transitions; }
  // All tables in which handlers ran. Not while Explore runs.
  std::vector<model::TransitionTable*> tables();
  bool cut_off() const;

 private:
  struct KnownBehaviour {
    uint64_t count = 0;                                     // Local traces.
    bool in_skeleton = false;                               // Some skeleton has it.
    std::optional<std::vector<DeviationGroup>> deviations;  // From it, once they were asked for.
  };
  struct Unit {
    Environment environment;
    bool explored = false;
    LocalTraces traces;
    std::vector<uint32_t> skeletons;                            // In this environment.
    absl::flat_hash_map<Signature, KnownBehaviour> behaviours;  // Of the component.
  };
  struct Component {
    std::unique_ptr<ComponentExplorer> explorer;  // Belongs to the component's lane.
    ComponentExplorer::Figures figures;           // When a unit ended last.
    absl::flat_hash_map<Signature, std::unique_ptr<Unit>> units;  // By environment.
    bool suspicious = false;                                      // It had suspects.
  };

  NumberedTable& MakeTable();
  void MakeExplorers(Checker checker);
  bool IsDivided(uint32_t component) const {
    return setting_.components.division(ComponentId(component)) != nullptr;
  }
  void ForgetSkeletons();
  void AddSkeleton(Skeleton skeleton, uint32_t origin) ABSL_LOCKS_EXCLUDED(budget_mutex_);
  void UpdateMeter();
  void SubmitUnit(ComponentId component, Unit& unit);
  struct UnitOutcome {
    bool finished = false;  // Within the budget.
    LocalTraces traces;
    std::vector<Suspect> suspects;
    ComponentExplorer::Figures figures;
  };
  JobEngine::Result RunUnit(ComponentId component, Unit& unit) ABSL_LOCKS_EXCLUDED(budget_mutex_);
  void ConcludeUnit(ComponentId component, Unit& unit, UnitOutcome outcome);
  void FinishUnit(ComponentId component, Unit& unit, bool finished);
  void Confirm(ComponentId component, const Unit& unit, const Suspect& suspect);
  const UnitResult* FindRestored(ComponentId component, const Unit& unit) const;
  void Restore(const UnitResult& result, Unit& unit);
  void AddLocalTraces(uint32_t component, const KnownBehaviour& known, uint64_t more);
  static UnitResult ResultOf(ComponentId component, const Unit& unit);
  bool TakeStep() ABSL_LOCKS_EXCLUDED(budget_mutex_);
  bool Poll() ABSL_LOCKS_EXCLUDED(budget_mutex_);
  void ReportProgress() const;
  static uint64_t LocalTraceCount(const Component& component, const LocalSkeleton& local);
  void BranchAll();
  void Branch(uint32_t number, ComponentId component, Unit& unit);

  const CheckSetting& setting_;
  JobEngine& jobs_;
  std::vector<std::unique_ptr<NumberedTable>> tables_;  // The composer's first.
  NumberedTable& table_;                                // The composer's, wherever it is from.
  Composer composer_;
  std::vector<Component> components_;
  SkeletonSet skeletons_;
  struct PendingBranch {
    uint32_t skeleton;
    ComponentId component;
    Unit* unit;  // Explored.
  };
  std::vector<PendingBranch> pending_;                   // Branches that were not taken yet.
  absl::node_hash_map<Signature, UnitResult> restored_;  // By component and environment.
  Journal* journal_ = nullptr;
  model::Mutex budget_mutex_;
  model::Budget* budget_ ABSL_GUARDED_BY(budget_mutex_) ABSL_PT_GUARDED_BY(budget_mutex_) = nullptr;
  MemoryMeter meter_;  // Of explorers and skeletons.
  SkeletonVisitor* visitor_ = nullptr;
  Progress progress_;
  std::atomic<bool> stopped_ = false;
  const std::atomic<bool>* stop_ = &stopped_;
  uint64_t queue_ = 0;
  uint64_t unit_bytes_ = 0;
  uint64_t skeletons_before_ = 0;  // Of earlier calls of Explore.
  uint64_t local_traces_ = 0;      // Of skeletons, of components that are not divided.
  uint64_t branchings_ = 0;
  uint64_t drops_ = 0;
  uint64_t compositions_ = 0;
  uint64_t longest_ = 0;
};

}  // namespace foretell::dir
