#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "foretell/dir/trace/behaviour.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"

namespace foretell::dir {

// A local trace that breaks invariants among the component's own nodes.
struct Suspect {
  Behaviour behaviour;
  model::InvariantSet broken = 0;
};

// Finds all local traces of one component in a given environment. Others need not have reacted to
// them so far: a new behaviour is simply a new behaviour. One thread at a time.
class ComponentExplorer {
 public:
  // Counts since the explorer was made.
  struct Figures {
    uint64_t local_traces = 0;  // Complete ones of components that are not divided.
    uint64_t transitions = 0;   // Distinct prefixes of these.
    uint64_t blocked = 0;       // Sequences given up as redundant.
    uint64_t skeletons = 0;     // Of parts, if it is divided.
    // True iff a trace was longer than CheckSetting::depth_max and not followed to its end.
    bool cut_off = false;
  };

  virtual ~ComponentExplorer() = default;

  // False if the budget is spent; `traces` then is a part only.
  virtual bool Explore(const Environment& environment, model::Budget& budget,
                       LocalTraces& traces) = 0;
  // Suspects found since the last call: for each invariant one, the first time. They concern no
  // other component, so they are not part of the interface.
  virtual std::vector<Suspect> TakeSuspects() = 0;
  // Bytes that this holds are added to `held`, because the budget's memory is for all explorers;
  // once `stop` is true, the work is in vain. Both outlive this.
  virtual void Attach(std::atomic<uint64_t>* held, const std::atomic<bool>* stop) = 0;

  virtual Figures figures() const = 0;
};

}  // namespace foretell::dir
