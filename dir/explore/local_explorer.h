#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "foretell/dir/explore/component_explorer.h"
#include "foretell/dir/explore/continuation_cache.h"
#include "foretell/dir/explore/memory_meter.h"
#include "foretell/dir/explore/trace_tree.h"
#include "foretell/dir/ids/numbered_table.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/cut_checker.h"
#include "foretell/dir/trace/run.h"
#include "foretell/model/budget.h"

namespace foretell::dir {

// The orders of independent events that are followed.
enum class Checker : uint8_t {
  kDfs,   // All orders; a trace is recognised only once it is complete. As MACEMC.
  kDpor,  // One order, where possible: dynamic partial-order reduction, source sets. As MODIST.
};

// Finds the local traces of a component by running it. They form a tree that all environments
// share: of two environments that agree for a while, the second finds the first's traces up to
// there, and nothing is executed again (the redundancy of section 6.3).
class LocalExplorer final : public ComponentExplorer {
 public:
  // All outlive this.
  LocalExplorer(const CheckSetting& setting, NumberedTable& table,
                std::span<const model::NodeId> nodes, Checker checker);

  bool Explore(const Environment& environment, model::Budget& budget, LocalTraces& traces) override;
  std::vector<Suspect> TakeSuspects() override { return std::exchange(suspects_, {}); }
  void Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop) override {
    meter_.Share(held);
    stop_ = stop;
  }
  Figures figures() const override { return figures_; }

 private:
  bool Visit(uint32_t at);
  void ScheduleAll(uint32_t at);
  bool Extend(uint32_t at);
  bool Follow(uint32_t at, uint32_t choice);
  bool Enter(uint32_t at, bool fresh);
  bool ReuseContinuations(uint32_t first, uint32_t outcomes);
  void MergeCounts(size_t since);
  void Grow(uint32_t at, uint32_t choice, const Positions& past, std::span<const uint32_t> races);
  bool Seed(uint32_t at, std::span<const Candidate> enabled);
  void Complete();
  void CheckCuts();
  void UpdateMeter();
  bool Poll();
  bool PossibleWithout(const Candidate& candidate, uint32_t race);
  void ReverseRaces(const Candidate& candidate, const Positions& past,
                    std::span<const uint32_t> races);
  void ReverseRace(const Candidate& candidate, const Positions& past, uint32_t race);
  void ReverseMissed();
  void NoteDisabled();
  bool Allowed(const Candidate& candidate) const {
    return candidate.arrival == kNone || run_.MayArrive(candidate.arrival);
  }
  bool Independent(const Candidate& a, const Candidate& b) const;
  Signature TraceSignature() const;

  const CheckSetting& setting_;
  const Checker checker_;
  NumberedTable& table_;
  Run run_;
  TraceTree tree_;
  std::optional<CutChecker> cuts_;  // If invariants are watched.
  std::vector<Suspect> suspects_;
  std::vector<uint32_t> path_;  // The node of the tree before each position of the run.
  std::deque<Behaviour> behaviours_;
  absl::flat_hash_map<Signature, uint32_t> behaviour_of_;
  // Of the current call of Explore.
  model::Budget* budget_ = nullptr;
  TraceCounts counts_;  // Of complete traces as they come.
  ContinuationCache continuations_;
  bool uses_cache_ = false;
  bool fresh_ = true;         // The prefix was not visited before.
  TransitionFilter prefix_;   // Interface transitions of the run so far.
  TransitionFilter reached_;  // These, and those of all its continuations so far.
  // For use between two visits only.
  std::vector<Candidate> enabled_;
  std::vector<uint32_t> races_;
  std::vector<Candidate> asleep_;
  // Local events that became impossible, with the positions of the transitions that did it.
  std::vector<std::pair<Candidate, uint32_t>> disabled_;
  absl::flat_hash_set<Signature> traces_;  // kDfs only.
  MemoryMeter meter_;
  uint64_t visits_ = 0;
  uint64_t behaviour_bytes_ = 0;

  const std::atomic<bool>* stop_ = nullptr;
  Figures figures_;
};

}  // namespace foretell::dir
