#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "foretell/dir/explore/enclosing_run.h"
#include "foretell/dir/ids/numbered_table.h"
#include "foretell/dir/ids/table_events.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/run.h"
#include "foretell/dir/trace/skeleton.h"

namespace foretell::dir {

// Composes global traces: runs the whole system for real, so that every result is possible. Or,
// where a component is divided in turn, all of that component in its environment. One thread at a
// time.
//
// The last run stays as it is until the next, which begins with the prefix that both have in
// common: traces that are composed one after the other differ little.
class Composer {
 public:
  // A composer of all components. All outlive this.
  Composer(const CheckSetting& setting, NumberedTable& table);
  // A composer of the parts of `component`, which is one of `whole`; `setting` has the division.
  Composer(const CheckSetting& setting, NumberedTable& table, const CheckSetting& whole,
           ComponentId component);

  // Sets the messages that may come from outside, from here on. REQUIRES: parts of a component.
  void Enter(const Environment& environment);

  // Leaves out the arrivals of environments for which `known` is true: their signatures will do.
  void OmitArrivals(std::function<bool(ComponentId, const Signature&)> known) {
    known_ = std::move(known);
  }

  // The skeleton of any complete run from the start.
  Skeleton ComposeFirst();
  // Composition by substitution (section 3.3): `component` behaves as in `behaviour`, the others as
  // in `skeleton` for as long as they cannot tell the difference; from there on anything, to
  // completion.
  Skeleton Compose(const Skeleton& skeleton, ComponentId component, const Behaviour& behaviour);
  // The run of a known trace, until the next call of anything here.
  const Run& Replay(const Trace& trace);

  // The behaviour of the divided component in the run. REQUIRES: parts of a component.
  Behaviour ComponentBehaviour() const { return enclosing_->ComponentBehaviour(); }

  // The bytes of the divided component's behaviours; none if this composes the whole system.
  uint64_t bytes() const { return enclosing_ ? enclosing_->bytes() : 0; }

  // True iff a run was longer than CheckSetting::depth_max and not completed.
  bool cut_off() const { return cut_off_; }

 private:
  // A step that is to be taken if it can be.
  struct Planned {
    const TraceStep* step = nullptr;
    ComponentId component;
    uint32_t index = 0;  // In its trace.
  };

  void Rewind(uint32_t size);
  uint32_t Common(const Trace& trace) const;
  uint32_t Match(const Skeleton& skeleton, ComponentId component, const Behaviour& behaviour);
  uint32_t FindSame(const TraceStep& step, const Behaviour& behaviour) const;
  ComponentId ComponentOf(const TraceStep& step) {
    return setting_.components.of(events_.NodeOf(step.number));
  }
  void Plan(const TraceStep& step, ComponentId component, uint32_t index);
  void TakeAll();
  bool Ready(const Planned& planned) const;
  bool Take(const TraceStep& step);
  void Apply(const Candidate& candidate, uint32_t outcome);
  Skeleton Finish();
  void Complete();
  void DescribeLocalSkeletons(Skeleton& skeleton);
  void DescribeEnvironments(Skeleton& skeleton);

  const CheckSetting& setting_;
  TableEvents& events_;
  Run run_;
  std::optional<EnclosingRun> enclosing_;  // Of the divided component, if this composes its parts.
  std::function<bool(ComponentId, const Signature&)> known_;
  // Of the current call of Compose.
  std::vector<uint32_t> image_;  // Of the component's steps in the skeleton, by position.
  search::SlotSet matched_;      // All images.
  std::vector<Planned> planned_;
  std::vector<search::SlotSet> left_;  // By component: steps that were planned but not taken.
  std::vector<Candidate> enabled_;
  bool cut_off_ = false;
};

}  // namespace foretell::dir
