#pragma once

#include <cstdint>
#include <vector>

#include "dir/behaviour.h"
#include "dir/signature.h"

namespace foretell::dir {

// What a component can do in an environment instead of what it does in one of its behaviours there.
struct Deviation {
  const Behaviour* behaviour = nullptr;
  // Where it leaves the other behaviour, in ways that no earlier deviation has. Empty if it falls
  // silent: that is a deviation, too, because the others may end up waiting for what never comes.
  std::vector<Signature> first;
};

// Deviations that go along with the behaviour equally far.
struct Deviations {
  std::vector<Signature> dropped;  // Transitions of the behaviour that do not happen, latest first.
  std::vector<Deviation> ways;
};

// `own` are the transitions of the behaviour, in an order that respects the trace's. Those that go
// along furthest come first: what is composed one after the other has more in common then.
std::vector<Deviations> FindDeviations(const std::vector<Signature>& own,
                                       const LocalTraces& traces);

uint64_t BytesOf(const std::vector<Deviations>& groups);

}  // namespace foretell::dir
