#include "foretell/search/minimise/minimised_nodes.h"

#include <utility>

#include "foretell/model/check.h"
#include "foretell/model/engine/interner.h"
#include "foretell/search/minimise/partition.h"

namespace foretell::search {

using model::EventId;
using model::NodeId;
using model::PairKey;
using model::StateId;
using model::Step;

namespace {

// One node's graph as numbers.
class Labelling {
 public:
  Labelling(const model::TransitionTable& table, model::InvariantTable& invariants,
            model::InvariantSet wanted)
      : table_(table), invariants_(invariants), wanted_(wanted) {}

  // Nothing if the budget ended it.
  std::optional<LabelledGraph> Of(const StepGraph& graphs, NodeId node, model::Budget& budget) {
    const auto states = graphs.States(node);
    std::vector<uint32_t> number(table_.state_count(node));
    for (uint32_t i = 0; i < states.size(); ++i) number[states[i].index()] = i;
    LabelledGraph graph;
    graph.first_edge.push_back(0);
    for (const StateId state : states) {
      if (!budget.TakeStep()) return std::nullopt;
      graph.observed.push_back(Observe(node, state));
      for (const EventId event : graphs.Events(node, state)) {
        const auto steps = graphs.Successors(node, state, event);
        for (uint32_t i = 0; i < steps.size(); ++i) {
          const bool idle = event.is_deliver() && steps[i].sends == model::SendsId(0);
          graph.edges.push_back({Label(event, steps, i), number[steps[i].next.index()], idle});
        }
      }
      graph.first_edge.push_back(static_cast<uint32_t>(graph.edges.size()));
    }
    return graph;
  }

 private:
  uint32_t Observe(NodeId node, StateId state) {
    const uint32_t signature = invariants_.Signature(node, state);
    words_.assign(1, static_cast<uint32_t>(table_.status(node, state)));
    for (size_t i = 0; i < invariants_.count(); ++i) {
      if ((wanted_ >> i & 1) == 0) continue;
      const auto key = invariants_.Key(i, signature);
      words_.push_back(key ? key->value() + 1 : 0);
    }
    return observations_.Intern(words_);
  }

  // The number of outcomes is part of it: one that does nothing must not be taken for none.
  uint32_t Label(EventId event, std::span<const Step> steps, uint32_t i) {
    words_ = {event.value(), i, static_cast<uint32_t>(steps.size()), steps[i].sends.value(),
              steps[i].choices};
    return labels_.Intern(words_);
  }

  const model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  const model::InvariantSet wanted_;
  model::SequenceInterner observations_;
  model::SequenceInterner labels_;
  std::vector<uint32_t> words_;
};

}  // namespace

std::unique_ptr<MinimisedNodes> MinimisedNodes::Make(model::TransitionTable& table,
                                                     model::InvariantTable& invariants,
                                                     const StepGraph& graphs,
                                                     model::InvariantSet wanted, Inert inert,
                                                     model::Budget& budget) {
  std::unique_ptr<MinimisedNodes> nodes(new MinimisedNodes(table, invariants, wanted));
  for (uint32_t n = 0; n < table.node_count(); ++n) {
    if (!nodes->Divide(graphs, NodeId(n), budget)) return nullptr;
  }
  nodes->live_.emplace(table, *nodes, (wanted & invariants.when_stuck()) != 0, inert);
  return nodes;
}

bool MinimisedNodes::Divide(const StepGraph& graphs, NodeId node, model::Budget& budget) {
  Node& own = nodes_[node.index()];
  const auto graph = Labelling(table_, invariants_, wanted_).Of(graphs, node, budget);
  if (!graph) return false;
  const auto classes = CoarsestPartition(*graph);
  if (!classes) return false;
  const auto states = graphs.States(node);
  own.class_of.resize(table_.state_count(node));
  own.events.resize(table_.state_count(node));
  for (size_t i = 0; i < states.size(); ++i) {
    if ((*classes)[i] == own.classes.size()) own.classes.push_back(states[i]);
    own.class_of[states[i].index()] = own.classes[(*classes)[i]];
  }
  for (const StateId state : states) AddSteps(graphs, node, state);
  return budget.Poll();
}

void MinimisedNodes::AddSteps(const StepGraph& graphs, NodeId node, StateId state) {
  Node& own = nodes_[node.index()];
  const StateId name = own.class_of[state.index()];
  std::vector<Step> steps;
  for (const EventId event : graphs.Events(node, state)) {
    const auto [place, fresh] = own.steps.try_emplace(PairKey(name.value(), event.value()));
    if (!fresh) continue;
    own.events[name.index()].push_back(event);
    const auto members = graphs.Successors(node, state, event);
    steps.assign(members.begin(), members.end());
    for (Step& step : steps) step.next = own.class_of[step.next.index()];
    place->second = arena_.Add(steps);
  }
}

std::span<const Step> MinimisedNodes::Successors(NodeId node, StateId state, EventId event) const {
  const auto& steps = nodes_[node.index()].steps;
  const auto found = steps.find(PairKey(state.value(), event.value()));
  // An event that happens and that the graphs do not know would mean that they are not closed.
  FORETELL_CHECK(found != steps.end());
  return found->second;
}

uint64_t MinimisedNodes::class_count() const {
  uint64_t count = 0;
  for (const Node& node : nodes_) count += node.classes.size();
  return count;
}

uint64_t MinimisedNodes::bytes() const {
  uint64_t total = arena_.bytes() + live_->bytes();
  for (const Node& node : nodes_) {
    using Entry = std::pair<uint64_t, std::span<const Step>>;
    total += node.steps.capacity() * (sizeof(Entry) + 1) +
             node.class_of.capacity() * sizeof(StateId) +
             node.events.capacity() * sizeof(node.events[0]) + node.steps.size() * sizeof(EventId);
  }
  return total;
}

}  // namespace foretell::search
