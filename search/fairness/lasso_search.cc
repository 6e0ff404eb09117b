#include "foretell/search/fairness/lasso_search.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::search {

using model::EventId;
using model::Fairness;
using model::NodeId;
using Promise = FairGraph::Promise;

LassoSearch::LassoSearch(GlobalSpace& space, StateSearch& search, const MoveFilter& moves,
                         Fairness fairness, std::function<bool(uint32_t)> stays)
    : space_(space),
      search_(search),
      moves_(moves),
      fairness_(fairness),
      streams_(space.table().service().network().kind == model::NetworkKind::kStreams),
      stays_(std::move(stays)) {
  FORETELL_CHECK(fairness != Fairness::kNone);
}

bool LassoSearch::LosesMessages() const { return fairness_ == Fairness::kFairLoss && !streams_; }

uint32_t LassoSearch::PromiseOf(Key key, Promise promise) {
  const auto [entry, fresh] = promises_.try_emplace(std::move(key), 0);
  if (fresh) entry->second = graph_.AddPromise(promise);
  return entry->second;
}

// An event that can happen does, sooner or later. On a stream that is whatever is at its head.
uint32_t LassoSearch::HappensPromise(NodeId node, EventId event) {
  const bool head = streams_ && event.is_deliver();
  Key key = head ? Key{0, node.value(), space_.table().sender(event.message()).value()}
                 : Key{1, node.value(), event.value()};
  return PromiseOf(std::move(key),
                   fairness_ == Fairness::kStrong ? Promise::kStrong : Promise::kWeak);
}

// A message that is sent again and again arrives again and again.
uint32_t LassoSearch::ArrivesPromise(model::MessageId message) {
  return PromiseOf({2, message.value()}, Promise::kStrong);
}

// An event that happens again and again turns out this way again and again.
uint32_t LassoSearch::OutcomePromise(NodeId node, EventId event, const model::Step& step) {
  Key key = {3, node.value(), event.value()};
  const auto choices = space_.table().ChoicesOf(step);
  key.insert(key.end(), choices.begin(), choices.end());
  return PromiseOf(std::move(key), Promise::kStrong);
}

std::vector<LassoSearch::Taken> LassoSearch::StepsFrom(const GlobalState& state) {
  std::vector<Taken> steps;
  std::vector<EventId> events;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const NodeId node(n);
    events.clear();
    space_.Enabled(state, node, events);
    for (const EventId event : events) {
      if (!moves_.Follows(event)) continue;
      for (const model::Step& step : space_.table().Successors(node, state.state(node), event)) {
        if (moves_.Follows(event, step)) steps.push_back({node, event, step});
      }
    }
  }
  return steps;
}

void LassoSearch::AddState(const GlobalState& state) {
  const std::vector<Taken> steps = StepsFrom(state);
  std::vector<uint32_t> asks;
  for (const Taken& taken : steps) {
    if (LosesMessages() && taken.event.is_deliver()) continue;
    asks.push_back(HappensPromise(taken.node, taken.event));
  }
  std::sort(asks.begin(), asks.end());
  asks.erase(std::unique(asks.begin(), asks.end()), asks.end());
  graph_.AddVertex(asks);
  for (const Taken& taken : steps) AddStep(state, taken, steps);
}

// `all` are the steps that are possible beside it.
void LassoSearch::AddStep(const GlobalState& state, const Taken& taken,
                          const std::vector<Taken>& all) {
  GlobalState next(state.node_count());
  space_.Apply(state, taken.node, taken.event, taken.step, next);
  const uint32_t index = search_.store().Find(next.fields());
  const auto to = vertex_of_.find(index);
  if (to == vertex_of_.end()) return;
  std::vector<uint32_t> asks;
  for (const Taken& other : all) {
    if (other.node != taken.node || other.event != taken.event) continue;
    asks.push_back(OutcomePromise(other.node, other.event, other.step));
  }
  std::vector<uint32_t> answers = {OutcomePromise(taken.node, taken.event, taken.step)};
  const model::TransitionTable& table = space_.table();
  for (const model::Batch& batch : table.Batches(taken.step.sends)) {
    if (!LosesMessages()) break;
    for (const auto message : table.Messages(batch.list)) asks.push_back(ArrivesPromise(message));
  }
  answers.push_back(LosesMessages() && taken.event.is_deliver()
                        ? ArrivesPromise(taken.event.message())
                        : HappensPromise(taken.node, taken.event));
  graph_.AddEdge(to->second, asks, answers);
  taken_.push_back(taken);
}

std::optional<Lasso> LassoSearch::Find(model::Budget& budget) {
  for (uint32_t i = 0; i < search_.expanded_count(); ++i) {
    if (!stays_(i)) continue;
    vertex_of_.emplace(i, static_cast<uint32_t>(states_.size()));
    states_.push_back(i);
  }
  GlobalState state = search_.MakeState();
  for (const uint32_t index : states_) {
    if (!budget.TakeStep()) return std::nullopt;
    constexpr uint32_t kTellEvery = 1 << 14;
    if (graph_.vertex_count() % kTellEvery == 0) {
      budget.HoldBytes(search_.bytes() + graph_.bytes() + taken_.capacity() * sizeof(Taken));
    }
    search_.store().Load(index, state.fields());
    AddState(state);
  }
  const auto cycle = graph_.FindCycle(budget);
  if (!cycle) return std::nullopt;
  return LassoOf(*cycle);
}

Lasso LassoSearch::LassoOf(const std::vector<uint32_t>& cycle) {
  Lasso lasso{.path = search_.PathTo(states_[graph_.from(cycle.front())])};
  lasso.cycle_from = lasso.path.size();
  for (const uint32_t edge : cycle) {
    const Taken& taken = taken_[edge];
    lasso.path.push_back(space_.table().PathStepOf(taken.node, taken.event, taken.step));
  }
  return lasso;
}

}  // namespace foretell::search
