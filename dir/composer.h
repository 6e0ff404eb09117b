#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "dir/behaviour.h"
#include "dir/dialect.h"
#include "dir/outside.h"
#include "dir/run.h"
#include "dir/setting.h"
#include "dir/skeleton.h"
#include "dir/workbench.h"

namespace foretell::dir {

// Makes global traces: runs the whole system for real, so that whatever comes out is possible. Or,
// where a component is divided in turn, all of that component in its environment. One thread at a
// time.
//
// The last run stays as it is until the next, which begins with what both have in common: what is
// composed one after the other differs little.
class Composer {
 public:
  // Of all components. All outlive this.
  Composer(const CheckSetting& setting, NumberedTable& table);
  // Of the parts of `component`, which is one of `whole`; `setting` has the division.
  Composer(const CheckSetting& setting, NumberedTable& table, const CheckSetting& whole,
           ComponentId component);

  // Messages that may come from outside, from here on. REQUIRES: parts of a component.
  void Enter(const Environment& environment);

  // Environments for which `known` is true are described by their signatures only.
  void Omit(std::function<bool(ComponentId, const Signature&)> known) { known_ = std::move(known); }

  // Any complete run from the start.
  Skeleton First();
  // Composition by substitution (section 3.3): `component` behaves as in `behaviour`, the others as
  // in `skeleton` for as long as they cannot tell the difference; from there on anything, to
  // completion.
  Skeleton Compose(const Skeleton& skeleton, ComponentId component, const Behaviour& behaviour);
  // A run of a known trace, until the next call of anything here.
  const Run& Replay(const Trace& trace);

  // The run as it looks where the component is one of several. REQUIRES: parts of a component.
  Behaviour Whole() const { return outside_->Whole(); }

  // Of what parts showed.
  uint64_t bytes() const { return outside_ ? outside_->bytes() : 0; }

  // Whether a run was longer than CheckSetting::depth_max and not completed.
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
  std::optional<Outside> outside_;  // If this is not about the whole system.
  std::function<bool(ComponentId, const Signature&)> known_;
  // Of the current call of Compose.
  std::vector<uint32_t> image_;  // Of the component's steps in the skeleton, by position.
  search::SlotSet matched_;      // Those images.
  std::vector<Planned> planned_;
  std::vector<search::SlotSet> left_;  // By component: what was planned but not taken.
  std::vector<Candidate> enabled_;
  bool cut_off_ = false;
};

}  // namespace foretell::dir
