#include "foretell/integration/pastry/leaves/invariants.h"

#include <algorithm>
#include <optional>

#include "foretell/integration/pastry/leaves/ids.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::integration::pastry::leaves {
namespace {

using model::NodeId;

// The nearest up the ring: of the right half or, if that is empty, round the ring, of the left.
// Itself if there is no leaf.
NodeId RightNeighbour(NodeId self, const State& state) {
  const Nodes& half = state.right.empty() ? state.left : state.right;
  const auto nearer = [self](NodeId a, NodeId b) {
    return Clockwise(self, a) < Clockwise(self, b);
  };
  const auto nearest = std::min_element(half.begin(), half.end(), nearer);
  return nearest == half.end() ? self : *nearest;
}

std::optional<NodeId> MembersNeighbour(NodeId node, const State& state) {
  if (state.phase != Phase::kMember) return std::nullopt;
  return RightNeighbour(node, state);
}

// One way round is enough: whoever is on it gets everywhere.
bool OneRing(const std::vector<std::optional<NodeId>>& neighbours) {
  size_t at = 0;
  for (size_t steps = 1; steps <= neighbours.size(); ++steps) {
    if (!neighbours[at]) return false;
    at = neighbours[at]->index();
    if (at == 0) return steps == neighbours.size();
  }
  return false;
}

bool OnOneSide(const State& state) {
  return std::all_of(state.leaves.begin(), state.leaves.end(), [&](NodeId leaf) {
    return state.left.contains(leaf) != state.right.contains(leaf);
  });
}

}  // namespace

std::vector<model::TypedInvariant<State>> MakeInvariants() {
  return {model::Eventually("all-joined", "Eventually each node is a member.",
                            [](const State& state) { return state.phase == Phase::kMember; }),
          model::SystemInvariant<State, NodeId>(
              {.name = "all-nodes",
               .text = "Eventually right neighbours lead from each node through all nodes.",
               .eventually = true},
              MembersNeighbour, [](const auto& neighbours) { return !OneRing(neighbours); }),
          model::Always("size-match", "The halves of a leaf set have as many nodes as all of it.",
                        [](const State& state) {
                          return state.left.size() + state.right.size() == state.leaves.size();
                        }),
          model::Always("one-side", "Each leaf is in one half of the leaf set, and in one only.",
                        [](const State& state) { return OnOneSide(state); })};
}

}  // namespace foretell::integration::pastry::leaves
