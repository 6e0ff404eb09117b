#include "foretell/search/minimise/live_messages.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace foretell::search {

using model::EventId;
using model::NodeId;
using model::StateId;
using model::Step;

namespace {

// Whatever may become of one state: the messages that matter there or later, and whether the node
// may stop accepting any.
struct Future {
  SlotSet live;
  bool may_stop = false;
};

class Futures {
 public:
  Futures(const model::TransitionTable& table, const StepGraph& graph, NodeId node)
      : table_(table), graph_(graph), node_(node), futures_(table.state_count(node)) {
    const auto states = graph.States(node);
    for (const StateId state : states) Begin(state);
    // Later states first: most of what they say is then final when it is passed on.
    for (bool grew = true; grew;) {
      grew = false;
      for (auto state = states.rbegin(); state != states.rend(); ++state) grew |= PassOn(*state);
    }
  }
  const Future& at(StateId state) const { return futures_[state.index()]; }

 private:
  void Begin(StateId state) {
    Future& own = futures_[state.index()];
    own.may_stop = !table_.Accepts(node_, state);
    for (const EventId event : graph_.Events(node_, state)) {
      if (!event.is_deliver()) continue;
      const auto steps = graph_.Successors(node_, state, event);
      const bool idle = std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
        return step.next == state && step.sends == model::SendsId(0);
      });
      if (!idle) own.live.Set(event.message().index());
    }
  }

  bool PassOn(StateId state) {
    Future& own = futures_[state.index()];
    bool grew = false;
    for (const EventId event : graph_.Events(node_, state)) {
      for (const Step& step : graph_.Successors(node_, state, event)) {
        if (step.next == state) continue;
        const Future& later = futures_[step.next.index()];
        grew |= own.live.UnionWith(later.live);
        grew |= later.may_stop && !std::exchange(own.may_stop, true);
      }
    }
    return grew;
  }

  const model::TransitionTable& table_;
  const StepGraph& graph_;
  const NodeId node_;
  std::vector<Future> futures_;  // By state.
};

}  // namespace

LiveMessages::LiveMessages(const model::TransitionTable& table, const StepGraph& graph, bool ends,
                           Inert inert)
    : table_(table), graph_(graph), ends_(ends), inert_(inert), nodes_(table.node_count()) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) Find(NodeId(n));
}

void LiveMessages::Find(NodeId node) {
  Node& own = nodes_[node.index()];
  own.sets.emplace_back();  // Stands for everything.
  own.set_of.resize(table_.state_count(node), kEverything);
  if (inert_ == Inert::kKept) return;
  const Futures futures(table_, graph_, node);
  absl::flat_hash_map<SlotSet, uint32_t> numbers;
  for (const StateId state : graph_.States(node)) {
    const Future& future = futures.at(state);
    if (ends_ && future.may_stop) continue;
    const auto [number, fresh] =
        numbers.try_emplace(future.live, static_cast<uint32_t>(own.sets.size()));
    if (fresh) own.sets.push_back(future.live);
    own.set_of[state.index()] = number->second;
  }
}

uint64_t LiveMessages::bytes() const {
  uint64_t total = 0;
  for (const Node& node : nodes_) {
    total += node.set_of.capacity() * sizeof(uint32_t) + node.sets.capacity() * sizeof(SlotSet);
    for (const SlotSet& set : node.sets) total += set.heap_bytes();
  }
  return total;
}

}  // namespace foretell::search
