#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "dir/behaviour.h"
#include "model/budget.h"
#include "model/invariant_table.h"

namespace foretell::dir {

// A local trace that breaks invariants among the component's own nodes.
struct Suspect {
  Behaviour behaviour;
  model::InvariantSet broken = 0;
};

// Finds everything that one component can do in a given environment. What it does need not be what
// others have reacted to so far: a new behaviour is simply a new behaviour. One thread at a time.
class ComponentExplorer {
 public:
  // Since it was made.
  struct Figures {
    uint64_t local_traces = 0;  // Complete ones of components that are not divided.
    uint64_t transitions = 0;   // Distinct prefixes of these.
    uint64_t blocked = 0;       // Sequences given up as redundant.
    uint64_t skeletons = 0;     // Of parts, if it is divided.
    // Whether a trace was longer than CheckSetting::depth_max and not followed to its end.
    bool cut_off = false;
  };

  virtual ~ComponentExplorer() = default;

  // False if the budget is spent; `traces` then is a part only.
  virtual bool Explore(const Environment& environment, model::Budget& budget,
                       LocalTraces& traces) = 0;
  // Those found since the last call: for each invariant one, the first time. They concern nobody
  // else, so others are not shown them.
  virtual std::vector<Suspect> TakeSuspects() = 0;
  // Where to add what this holds, because the budget's memory is for all, and what says that the
  // work is in vain. Both outlive this.
  virtual void Attach(std::atomic<uint64_t>* meter, const std::atomic<bool>* stop) = 0;

  virtual Figures figures() const = 0;
};

}  // namespace foretell::dir
