// What a tree is.

#include <algorithm>

#include "foretell/integration/randtree/protocol.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::integration::randtree {
namespace {

// What others can tell of a node.
struct Place {
  bool joined = false;
  bool is_root = false;
  std::optional<NodeId> parent;
  std::set<NodeId> children;
  FORETELL_FIELDS(joined, is_root, parent, children)
};
using Places = std::vector<std::optional<Place>>;

std::optional<Place> PlaceOf(NodeId node, const State& state) {
  return Place{state.phase == Phase::kJoined, state.root.value_or(node) == node, state.parent,
               state.children};
}

bool OneRoot(const Places& places) {
  return std::count_if(places.begin(), places.end(),
                       [](const auto& place) { return place && place->is_root; }) == 1;
}

bool AllJoined(const Places& places) {
  return std::all_of(places.begin(), places.end(),
                     [](const auto& place) { return place && place->joined; });
}

// Every member but a root is a child of its parent, and children know their parents.
bool KidsMatch(const Places& places) {
  for (uint32_t n = 0; n < places.size(); ++n) {
    if (!places[n]) return false;
    const Place& place = *places[n];
    if (place.joined && !place.is_root && !place.parent) return false;
    if (place.parent) {
      const std::optional<Place>& parent = places[place.parent->index()];
      if (!parent || !parent->children.contains(NodeId(n))) return false;
    }
    for (const NodeId child : place.children) {
      if (!places[child.index()] || places[child.index()]->parent != NodeId(n)) return false;
    }
  }
  return true;
}

bool HasLoop(const Places& places) {
  for (uint32_t n = 0; n < places.size(); ++n) {
    std::optional<NodeId> at = NodeId(n);
    for (size_t steps = 0; at && places[at->index()]; ++steps) {
      if (steps > places.size()) return true;
      at = places[at->index()]->parent;
    }
  }
  return false;
}

model::TypedInvariant<State> EventuallyAll(const std::string& name, const std::string& text,
                                           bool (*holds)(const Places&)) {
  return model::SystemInvariant<State, Place>(
      {.name = name, .text = text, .eventually = true}, PlaceOf,
      [holds](const Places& places) { return !holds(places); });
}

}  // namespace

std::vector<model::TypedInvariant<State>> TreeInvariants() {
  return {
      EventuallyAll("all-joined", "Every node is a member.", AllJoined),
      EventuallyAll("one-root", "There is exactly one root.", OneRoot),
      EventuallyAll("kids-match", "Parents know their children, and children their parents.",
                    KidsMatch),
      EventuallyAll("one-tree", "All are members of one tree, and agree who is whose child.",
                    [](const Places& places) {
                      return AllJoined(places) && OneRoot(places) && KidsMatch(places);
                    }),
      model::Always("timers", "Who is joining or has joined has a timer for that.",
                    [](const State& state) {
                      return state.join_timer == (state.phase == Phase::kJoining) &&
                             state.recovery_timer == (state.phase == Phase::kJoined);
                    }),
      model::SystemInvariant<State, Place>(
          {.name = "no-loops", .text = "Following parents, one never comes back."}, PlaceOf,
          HasLoop),
  };
}

}  // namespace foretell::integration::randtree
