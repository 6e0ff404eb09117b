#include "foretell/search/recovery/local_closure.h"

#include <algorithm>

namespace foretell::search {

using model::NodeId;

void LocalClosure::AddState(uint32_t node, model::StateId state) {
  Node& own = nodes_[node];
  if (!own.state_known.try_emplace(state.value(), 0).second) return;
  own.states.push_back(state);
  own.tried.push_back(0);
}

void LocalClosure::AddMessage(model::MessageId message) {
  Node& own = nodes_[moves_.table().receiver(message).index()];
  if (own.message_known.try_emplace(message.value(), 0).second) own.messages.push_back(message);
}

LocalClosure::End LocalClosure::Close(GlobalSpace& space, const GlobalState& start,
                                      uint64_t steps_max, model::Budget& budget) {
  steps_left_ = steps_max;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    AddState(n, start.state(NodeId(n)));
    for (const model::MessageId message :
         space.mailboxes().Content(NodeId(n), start.mailbox(NodeId(n)))) {
      AddMessage(message);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      for (size_t place = 0; place < nodes_[n].states.size(); ++place) {
        const Node& own = nodes_[n];
        if (own.tried[place] == own.messages.size() + 1) continue;
        changed = true;
        if (!Advance(n, place, budget)) return End::kCutOff;
      }
    }
  }
  return Combine(steps_max, budget);
}

// Follows what was not followed yet from one state: `tried` counts messages, and one more for what
// the node does by itself.
bool LocalClosure::Advance(uint32_t node, size_t place, model::Budget& budget) {
  const model::StateId state = nodes_[node].states[place];
  model::TransitionTable& table = moves_.table();
  if (nodes_[node].tried[place] == 0) {
    for (const model::EventId event : table.LocalEvents(NodeId(node), state)) {
      if (moves_.Follows(event) && !Execute(node, state, event, budget)) return false;
    }
    nodes_[node].tried[place] = 1;
  }
  while (nodes_[node].tried[place] < nodes_[node].messages.size() + 1) {
    const model::MessageId message = nodes_[node].messages[nodes_[node].tried[place]++ - 1];
    if (!table.Accepts(NodeId(node), state)) continue;
    if (!Execute(node, state, model::EventId::Deliver(message), budget)) return false;
  }
  return true;
}

bool LocalClosure::Execute(uint32_t node, model::StateId state, model::EventId event,
                           model::Budget& budget) {
  model::TransitionTable& table = moves_.table();
  for (const model::Step& step : table.Successors(NodeId(node), state, event)) {
    if (steps_left_ == 0 || !budget.TakeStep()) return false;
    --steps_left_;
    if (table.WeightOf(step) == 0) continue;
    AddState(node, step.next);
    for (const model::Batch& batch : table.Batches(step.sends)) {
      for (const model::MessageId message : table.Messages(batch.list)) AddMessage(message);
    }
  }
  return true;
}

LocalClosure::End LocalClosure::Combine(uint64_t combinations_max, model::Budget& budget) {
  std::vector<std::vector<uint32_t>> signatures(nodes_.size());
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (const model::StateId state : nodes_[n].states) {
      signatures[n].push_back(invariants_.Signature(NodeId(n), state));
    }
    std::sort(signatures[n].begin(), signatures[n].end());
    signatures[n].erase(std::unique(signatures[n].begin(), signatures[n].end()),
                        signatures[n].end());
  }
  // An odometer over one signature per node.
  std::vector<size_t> at(nodes_.size(), 0);
  std::vector<uint32_t> combination(nodes_.size());
  for (uint64_t count = 0; count < combinations_max; ++count) {
    if (!budget.TakeStep()) return End::kCutOff;
    for (size_t n = 0; n < at.size(); ++n) combination[n] = signatures[n][at[n]];
    if (invariants_.Violated(combination) == 0) return End::kPossible;
    size_t n = 0;
    while (n < at.size() && ++at[n] == signatures[n].size()) at[n++] = 0;
    if (n == at.size()) return End::kHopeless;
  }
  return End::kCutOff;
}

uint64_t LocalClosure::state_count() const {
  uint64_t count = 0;
  for (const Node& node : nodes_) count += node.states.size();
  return count;
}

}  // namespace foretell::search
