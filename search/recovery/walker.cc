#include "foretell/search/recovery/walker.h"

#include <algorithm>

namespace foretell::search {

using model::EventKind;

uint64_t Walker::Below(uint64_t count) {
  // SplitMix64: small, fast, and the same everywhere.
  uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z ^ (z >> 31)) % count;
}

bool Walker::Walk(const GlobalState& start, uint32_t steps_max, model::Budget& budget,
                  const std::function<bool(const GlobalState&)>& stop) {
  visited_.assign(1, start);
  for (uint32_t i = 0; i < steps_max; ++i) {
    if (stop(visited_.back())) return true;
    if (!budget.TakeStep()) return false;
    GlobalState next = visited_.back();
    if (!Step(next)) return false;
    // What changes nothing need not be kept, and a way out may still come.
    if (next != visited_.back()) visited_.push_back(std::move(next));
  }
  return stop(visited_.back());
}

uint32_t Walker::WeightOf(model::EventId event) {
  model::TransitionTable& table = moves_.table();
  if (event.kind() != EventKind::kDeliver && event.kind() != EventKind::kAction) {
    return model::WeightOf(table.service(), weights_, table.EventOf(event));
  }
  const bool deliver = event.is_deliver();
  std::vector<uint32_t>& known = deliver ? of_message_ : of_action_;
  const size_t index = deliver ? event.message().index() : event.action().index();
  if (known.size() <= index) known.resize(index + 1, 0);
  if (known[index] == 0) {
    // Whatever is enabled and can be counted on may be chosen, if seldom.
    const uint32_t weight = model::WeightOf(table.service(), weights_, table.EventOf(event));
    known[index] = std::min(weight, UINT32_MAX - 1) + 1;
  }
  return known[index] - 1;
}

// Moves `state` by one step. False if nothing can happen.
bool Walker::Step(GlobalState& state) {
  options_.clear();
  uint64_t total = 0;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    events_.clear();
    space_.Enabled(state, model::NodeId(n), events_);
    for (const model::EventId event : events_) {
      if (!moves_.Follows(event)) continue;
      total += WeightOf(event);
      options_.push_back({model::NodeId(n), event, total});
    }
  }
  if (total == 0) return false;
  const uint64_t drawn = Below(total);
  const auto chosen = std::find_if(options_.begin(), options_.end(),
                                   [&](const Option& option) { return drawn < option.until; });
  const auto steps =
      moves_.table().Successors(chosen->node, state.state(chosen->node), chosen->event);
  uint64_t outcomes = 0;
  for (const model::Step& step : steps) outcomes += moves_.table().WeightOf(step);
  if (outcomes == 0) return true;  // Only what nobody may count on.
  uint64_t left = Below(outcomes);
  size_t i = 0;
  while (left >= moves_.table().WeightOf(steps[i])) left -= moves_.table().WeightOf(steps[i++]);
  const GlobalState from = state;
  space_.Apply(from, chosen->node, chosen->event, steps[i], state);
  ++steps_;
  return true;
}

}  // namespace foretell::search
