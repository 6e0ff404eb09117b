#include "lmc/soundness.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "search/reduction.h"
#include "search/slot_set.h"

namespace foretell::lmc {

using model::EventId;
using model::MessageId;
using model::NodeId;
using model::StateId;
using model::Step;
using search::GlobalState;
using search::Move;
using search::SlotSet;

namespace {

// Follows only what the graphs know, gives up what leads to no goal, and reduces the rest.
class TowardsGoals final : public search::Reduction {
 public:
  // `alive[node][state]`: the goals that the node can still satisfy from there.
  TowardsGoals(const search::NodeGraphs& graphs, std::vector<std::vector<SlotSet>> alive,
               search::Reduction& inner)
      : graphs_(graphs), alive_(std::move(alive)), inner_(inner) {}

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override {
    if (!Hopeful(state)) moves.clear();
    std::erase_if(moves, [&](const Move& move) {
      return !graphs_.HasEdge(move.node, state.state(move.node), move.event);
    });
    return inner_.Choose(state, moves);
  }

 private:
  bool Hopeful(const GlobalState& state) const {
    SlotSet goals = alive_[0][state.state(NodeId(0)).index()];
    for (uint32_t n = 1; n < alive_.size(); ++n) {
      goals.IntersectWith(alive_[n][state.state(NodeId(n)).index()]);
    }
    return !goals.empty();
  }

  const search::NodeGraphs& graphs_;
  const std::vector<std::vector<SlotSet>> alive_;
  search::Reduction& inner_;
};

}  // namespace

Soundness::Soundness(search::GlobalSpace& space, model::InvariantTable& invariants,
                     const search::NodeGraphs& graphs)
    : space_(space), table_(space.table()), invariants_(invariants), graphs_(graphs) {}

bool Soundness::Wanted(NodeId node, StateId state, const Goal& goal) const {
  const uint32_t key = goal.keys[node.index()];
  if (key == Goal::kFree) return true;
  const auto own = invariants_.Key(goal.invariant, invariants_.Signature(node, state));
  return key == (own ? own->value() + 1 : Goal::kNothing);
}

Soundness::States Soundness::Ancestors(NodeId node, const Goal& goal) const {
  States ancestors(table_.state_count(node), false);
  const auto states = graphs_.States(node);
  // Later states first: almost all edges lead there.
  for (bool grew = true; grew;) {
    grew = false;
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      if (ancestors[state->index()]) continue;
      bool leads = Wanted(node, *state, goal);
      for (const EventId event : graphs_.Events(node, *state)) {
        for (const Step& step : table_.Successors(node, *state, event)) {
          leads = leads || ancestors[step.next.index()];
        }
      }
      ancestors[state->index()] = leads;
      grew |= leads;
    }
  }
  return ancestors;
}

bool Soundness::Producible(const GlobalState& start, const Goal& goal,
                           const std::vector<States>& ancestors) const {
  const auto node_count = static_cast<uint32_t>(ancestors.size());
  SlotSet available;
  std::vector<States> reached(node_count);
  for (uint32_t n = 0; n < node_count; ++n) {
    reached[n].assign(table_.state_count(NodeId(n)), false);
    const StateId first = start.state(NodeId(n));
    if (!ancestors[n][first.index()]) return false;
    reached[n][first.index()] = true;
    for (const MessageId m : space_.mailboxes().Content(NodeId(n), start.mailbox(NodeId(n)))) {
      available.Set(m.index());
    }
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t n = 0; n < node_count; ++n) {
      for (const StateId state : graphs_.States(NodeId(n))) {
        if (!reached[n][state.index()]) continue;
        for (const EventId event : graphs_.Events(NodeId(n), state)) {
          if (event.is_deliver() && !available.Test(event.message().index())) continue;
          for (const Step& step : table_.Successors(NodeId(n), state, event)) {
            if (!ancestors[n][step.next.index()]) continue;
            if (!reached[n][step.next.index()]) grew = reached[n][step.next.index()] = true;
            for (const model::Batch& batch : table_.Batches(step.sends)) {
              for (const MessageId m : table_.Messages(batch.list)) {
                if (available.Test(m.index())) continue;
                available.Set(m.index());
                grew = true;
              }
            }
          }
        }
      }
    }
  }
  for (uint32_t n = 0; n < node_count; ++n) {
    const auto states = graphs_.States(NodeId(n));
    if (std::none_of(states.begin(), states.end(), [&](StateId state) {
          return reached[n][state.index()] && Wanted(NodeId(n), state, goal);
        })) {
      return false;
    }
  }
  return true;
}

Soundness::Answer Soundness::Verify(const GlobalState& start, const std::set<Goal>& goals,
                                    bool closed, const search::SearchOptions& options,
                                    model::Budget& budget) {
  const uint32_t node_count = table_.node_count();
  std::vector<std::vector<SlotSet>> alive(node_count);
  for (uint32_t n = 0; n < node_count; ++n) alive[n].resize(table_.state_count(NodeId(n)));
  model::InvariantSet wanted = 0;
  Answer answer{.checks = goals.size()};
  size_t number = 0;
  for (const Goal& goal : goals) {
    std::vector<States> ancestors;
    for (uint32_t n = 0; n < node_count; ++n) ancestors.push_back(Ancestors(NodeId(n), goal));
    if (!Producible(start, goal, ancestors)) {
      ++answer.rejections;
      continue;
    }
    wanted |= model::InvariantSet{1} << goal.invariant;
    for (uint32_t n = 0; n < node_count; ++n) {
      for (size_t s = 0; s < ancestors[n].size(); ++s) {
        if (ancestors[n][s]) alive[n][s].Set(number);
      }
    }
    ++number;
  }
  if (number == 0) {
    answer.settled = closed;
    return answer;
  }
  search::PersistentSets reduction(space_, invariants_, graphs_, wanted);
  TowardsGoals towards(graphs_, std::move(alive), reduction);
  search::StateSearch search(space_, invariants_, options, &towards);
  const search::StateSearch::Result result = search.Run(start, wanted, budget);
  for (const auto& [invariant, state] : result.found) {
    answer.findings.emplace_back(invariant, search.PathTo(state));
    wanted &= ~(model::InvariantSet{1} << invariant);
  }
  answer.settled = closed && result.exhausted;
  if (answer.settled) {
    for (const Goal& goal : goals) answer.rejections += wanted >> goal.invariant & 1;
  }
  answer.rejections = std::min(answer.rejections, answer.checks);
  answer.transitions = result.transitions;
  answer.global_states = search.state_count();
  answer.depth = result.depth;
  answer.bytes = search.bytes() + reduction.bytes();
  return answer;
}

}  // namespace foretell::lmc
