#include "foretell/lmc/soundness.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "foretell/search/graphs/slot_set.h"
#include "foretell/search/reduction.h"

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
  TowardsGoals(const search::StepGraph& graphs, std::vector<std::vector<SlotSet>> alive,
               search::Reduction& inner)
      : graphs_(graphs), alive_(std::move(alive)), inner_(inner) {}

  size_t Choose(const GlobalState& state, std::vector<Move>& moves) override {
    if (!Hopeful(state)) moves.clear();
    std::erase_if(moves, [&](const Move& move) {
      return !graphs_.HasEdge(move.node, state.state(move.node), move.event);
    });
    return inner_.Choose(state, moves);
  }
  // What is left of a system in which nothing comes back does not come back either.
  bool MayReturn() const override { return inner_.MayReturn(); }

 private:
  bool Hopeful(const GlobalState& state) const {
    SlotSet goals = alive_[0][state.state(NodeId(0)).index()];
    for (uint32_t n = 1; n < alive_.size(); ++n) {
      goals.IntersectWith(alive_[n][state.state(NodeId(n)).index()]);
    }
    return !goals.empty();
  }

  const search::StepGraph& graphs_;
  const std::vector<std::vector<SlotSet>> alive_;
  search::Reduction& inner_;
};

}  // namespace

Soundness::Soundness(search::GlobalSpace& space, model::InvariantTable& invariants,
                     const search::StepGraph& graphs, search::Quotient* quotient)
    : space_(space),
      table_(space.table()),
      invariants_(invariants),
      graphs_(graphs),
      quotient_(quotient) {
  for (uint32_t n = 0; n < table_.node_count(); ++n) steps_.push_back(StepsOf(NodeId(n)));
}

Soundness::NodeSteps Soundness::StepsOf(NodeId node) const {
  NodeSteps steps;
  for (const StateId state : graphs_.States(node)) {
    for (const EventId event : graphs_.Events(node, state)) {
      for (const Step& step : graphs_.Successors(node, state, event)) {
        steps.all.push_back({event, step.next, step.sends});
      }
    }
    steps.ends.push_back(steps.all.size());
  }
  return steps;
}

std::span<const Soundness::NodeStep> Soundness::StepsAt(NodeId node, size_t place) const {
  const NodeSteps& steps = steps_[node.index()];
  const size_t begin = place == 0 ? 0 : steps.ends[place - 1];
  return std::span(steps.all).subspan(begin, steps.ends[place] - begin);
}

bool Soundness::Wanted(NodeId node, StateId state, size_t invariant, uint32_t key) const {
  if (key == Goal::kFree) return true;
  const auto own = invariants_.Key(invariant, invariants_.Signature(node, state));
  return key == (own ? own->value() + 1 : Goal::kNothing);
}

bool Soundness::LeadsTo(NodeId node, size_t place, const States& states) const {
  const auto steps = StepsAt(node, place);
  return std::any_of(steps.begin(), steps.end(),
                     [&](const NodeStep& step) { return states[step.next.index()]; });
}

const Soundness::States* Soundness::Ancestors(NodeId node, size_t invariant, uint32_t key,
                                              model::Budget& budget) {
  const auto name = std::tuple(node.value(), key == Goal::kFree ? 0 : invariant, key);
  if (const auto found = ancestors_.find(name); found != ancestors_.end()) return &found->second;
  States ancestors(table_.state_count(node), false);
  const auto states = graphs_.States(node);
  // Later states first: almost all edges lead there.
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t place = states.size(); place-- > 0;) {
      const StateId state = states[place];
      if (ancestors[state.index()]) continue;
      if (!budget.TakeStep()) return nullptr;
      const bool leads = Wanted(node, state, invariant, key) || LeadsTo(node, place, ancestors);
      ancestors[state.index()] = leads;
      grew |= leads;
    }
  }
  return &ancestors_.emplace(name, std::move(ancestors)).first->second;
}

std::vector<const Soundness::States*> Soundness::AncestorsOf(const Goal& goal,
                                                             model::Budget& budget) {
  std::vector<const States*> ancestors;
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    ancestors.push_back(Ancestors(NodeId(n), goal.invariant, goal.keys[n], budget));
    if (ancestors.back() == nullptr) return {};
  }
  return ancestors;
}

bool Soundness::Produce(NodeId node, const States& ancestors, States& reached,
                        SlotSet& available) const {
  bool grew = false;
  const auto states = graphs_.States(node);
  for (size_t place = 0; place < states.size(); ++place) {
    if (!reached[states[place].index()]) continue;
    for (const NodeStep& step : StepsAt(node, place)) {
      if (step.event.is_deliver() && !available.Test(step.event.message().index())) continue;
      if (!ancestors[step.next.index()]) continue;
      if (!reached[step.next.index()]) grew = reached[step.next.index()] = true;
      for (const model::Batch& batch : table_.Batches(step.sends)) {
        for (const MessageId m : table_.Messages(batch.list)) {
          if (available.Test(m.index())) continue;
          available.Set(m.index());
          grew = true;
        }
      }
    }
  }
  return grew;
}

bool Soundness::Producible(const GlobalState& start, const Goal& goal,
                           const std::vector<const States*>& ancestors,
                           model::Budget& budget) const {
  SlotSet available;
  std::vector<States> reached;
  for (uint32_t n = 0; n < ancestors.size(); ++n) {
    const StateId first = start.state(NodeId(n));
    if (!(*ancestors[n])[first.index()]) return false;
    reached.emplace_back(table_.state_count(NodeId(n)), false);
    reached[n][first.index()] = true;
    for (const MessageId m : space_.mailboxes().Content(NodeId(n), start.mailbox(NodeId(n)))) {
      available.Set(m.index());
    }
  }
  // Without budget the goal stays open: only what cannot be produced is rejected.
  for (bool grew = true; grew && budget.TakeStep();) {
    grew = false;
    for (uint32_t n = 0; n < ancestors.size(); ++n) {
      grew |= Produce(NodeId(n), *ancestors[n], reached[n], available);
    }
  }
  for (uint32_t n = 0; n < ancestors.size() && !budget.spent(); ++n) {
    const auto states = graphs_.States(NodeId(n));
    if (std::none_of(states.begin(), states.end(), [&](StateId state) {
          return reached[n][state.index()] &&
                 Wanted(NodeId(n), state, goal.invariant, goal.keys[n]);
        })) {
      return false;
    }
  }
  return true;
}

model::InvariantSet Soundness::Sift(const GlobalState& start, const std::set<Goal>& goals,
                                    Alive& alive, Answer& answer, model::Budget& budget) {
  model::InvariantSet wanted = 0;
  size_t number = 0;
  for (const Goal& goal : goals) {
    const std::vector<const States*> ancestors = AncestorsOf(goal, budget);
    if (ancestors.empty()) break;
    if (!Producible(start, goal, ancestors, budget)) {
      ++answer.rejections;
      continue;
    }
    wanted |= model::InvariantSet{1} << goal.invariant;
    for (uint32_t n = 0; n < alive.size(); ++n) {
      for (size_t s = 0; s < ancestors[n]->size(); ++s) {
        if ((*ancestors[n])[s]) alive[n][s].Set(number);
      }
    }
    ++number;
  }
  return wanted;
}

Soundness::Answer Soundness::Verify(const GlobalState& start, const std::set<Goal>& goals,
                                    const search::SearchOptions& options, model::Budget& budget) {
  Alive alive(table_.node_count());
  for (uint32_t n = 0; n < alive.size(); ++n) alive[n].resize(table_.state_count(NodeId(n)));
  Answer answer{.checks = goals.size()};
  model::InvariantSet wanted = Sift(start, goals, alive, answer, budget);
  if (budget.spent()) return answer;
  answer.settled = true;
  if (wanted == 0) return answer;

  const auto reduction = search::PersistentSets::Make(space_, invariants_, graphs_, wanted, budget);
  answer.settled = reduction != nullptr;
  if (!reduction) return answer;
  if (quotient_ != nullptr && !quotient_->Verify(budget)) return {.checks = goals.size()};
  TowardsGoals towards(graphs_, std::move(alive), *reduction);
  search::StateSearch search(space_, invariants_, options, &towards, nullptr, quotient_);
  const search::StateSearch::Result result = search.Run(start, wanted, budget);
  for (const auto& [invariant, state] : result.found) {
    answer.findings.emplace_back(invariant, search.PathTo(state));
  }
  // Nothing found and nothing left: all goals are impossible. With a finding, goals of the other
  // invariants may still be open.
  answer.settled = result.exhausted;
  if (answer.settled && result.found.empty()) answer.rejections = answer.checks;
  answer.transitions = result.transitions;
  answer.global_states = search.state_count();
  answer.bytes = search.bytes() + reduction->bytes();
  return answer;
}

}  // namespace foretell::lmc
