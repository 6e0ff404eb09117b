#pragma once

#include <cstdint>
#include <vector>

#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/behaviour.h"

namespace foretell::dir {

// A behaviour that a component can have in an environment instead of another of its behaviours
// there.
struct Deviation {
  const Behaviour* behaviour = nullptr;
  // The transitions by which it leaves the other behaviour, in ways that no earlier deviation has.
  // Empty if it falls silent: that is a deviation, too, because the others may end up waiting for a
  // message that never comes.
  std::vector<Signature> first;
};

// Deviations that go along with the behaviour equally far.
struct DeviationGroup {
  std::vector<Signature> dropped;  // Transitions of the behaviour that do not happen, latest first.
  std::vector<Deviation> deviations;
};

// The deviations from a behaviour. `own` are its transitions, in an order that respects the
// trace's. Deviations that go along furthest come first: traces that are composed one after the
// other have more in common then.
std::vector<DeviationGroup> FindDeviations(const std::vector<Signature>& own,
                                           const LocalTraces& traces);

uint64_t BytesOf(const std::vector<DeviationGroup>& groups);

}  // namespace foretell::dir
