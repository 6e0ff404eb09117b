#include "foretell/integration/chord/ring/invariants.h"

#include <optional>

#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::integration::chord::ring {
namespace {

using model::NodeId;

// The neighbours of a member.
struct Place {
  std::optional<NodeId> predecessor;
  NodeId successor;
  FORETELL_FIELDS(predecessor, successor)
};
using Places = std::vector<std::optional<Place>>;  // Of those that are members, by node.

std::optional<Place> PlaceOf(NodeId, const State& state) {
  if (state.phase != Phase::kMember) return std::nullopt;
  return Place{state.predecessor, state.successor};
}

// One way round is enough: whoever is on it gets everywhere.
bool OneRing(const Places& places) {
  size_t at = 0;
  for (size_t steps = 1; steps <= places.size(); ++steps) {
    if (!places[at]) return false;
    at = places[at]->successor.index();
    if (at == 0) return steps == places.size();
  }
  return false;
}

bool PredecessorsMatch(const Places& places) {
  for (size_t n = 0; n < places.size(); ++n) {
    if (!places[n]) return false;
    const std::optional<Place>& next = places[places[n]->successor.index()];
    if (!next || next->predecessor != NodeId(static_cast<uint32_t>(n))) return false;
  }
  return true;
}

}  // namespace

std::vector<model::TypedInvariant<State>> MakeInvariants() {
  return {model::SystemInvariant<State, Place>(
              {.name = "all-nodes",
               .text = "Eventually successors lead from each node through all nodes.",
               .eventually = true},
              PlaceOf, [](const Places& places) { return !OneRing(places); }),
          model::SystemInvariant<State, Place>(
              {.name = "preds-match",
               .text = "Eventually each node is the predecessor of its successor.",
               .eventually = true},
              PlaceOf, [](const Places& places) { return !PredecessorsMatch(places); }),
          model::Eventually("all-joined", "Eventually each node is a member.",
                            [](const State& state) { return state.phase == Phase::kMember; }),
          model::Always("succ-pred",
                        "A member is its own predecessor if and only if it is its own successor.",
                        [](NodeId node, const State& state) {
                          return state.phase != Phase::kMember ||
                                 (state.predecessor == node) == (state.successor == node);
                        })};
}

}  // namespace foretell::integration::chord::ring
