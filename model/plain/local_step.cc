#include "foretell/model/plain/local_step.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "foretell/model/check.h"

namespace foretell::model {
namespace {

// The next sequence of choices in lexicographic order, given what the last run was offered.
// Empties `choices` and returns false when there is none.
bool NextChoices(const std::vector<uint32_t>& offered, std::vector<uint32_t>& choices) {
  choices.resize(offered.size(), 0);
  while (!choices.empty()) {
    if (choices.back() + 1 < offered[choices.size() - 1]) {
      ++choices.back();
      return true;
    }
    choices.pop_back();
  }
  return false;
}

// One event per stream towards the node, if there are streams.
void AddBroken(const Service& service, NodeId node, EventKind kind, std::vector<Event>& events) {
  if (service.network().kind != NetworkKind::kStreams) return;
  for (uint32_t peer = 0; peer < service.node_count(); ++peer) {
    if (NodeId(peer) != node) events.push_back({.kind = kind, .peer = NodeId(peer)});
  }
}

// The weight of all choices of a run together.
uint32_t Together(const std::vector<uint32_t>& weights) {
  uint64_t product = 1;
  for (const uint32_t weight : weights) product = std::min<uint64_t>(product * weight, UINT32_MAX);
  return static_cast<uint32_t>(product);
}

}  // namespace

std::vector<Event> LocalEvents(const Service& service, NodeId node, const NodeState& state) {
  std::vector<Event> events;
  if (state.status == NodeStatus::kDown) events.push_back({.kind = EventKind::kRestart});
  if (state.status != NodeStatus::kUp) return events;
  for (std::string& body : service.Actions(node, state.body)) {
    events.push_back({.kind = EventKind::kAction, .body = std::move(body)});
  }
  const FaultBudget budget = service.faults(node);
  for (const FaultKindInfo& fault : kFaults) {
    if (state.faults[fault.kind] >= budget[fault.kind]) continue;
    if (IsOfStream(fault.event)) {
      AddBroken(service, node, fault.event, events);
    } else {
      events.push_back({.kind = fault.event});
    }
  }
  return events;
}

LocalOutcome RunLocal(const Service& service, NodeId node, const NodeState& state,
                      const Event& event, std::span<const uint32_t> choices,
                      std::vector<uint32_t>& offered) {
  FORETELL_CHECK((state.status == NodeStatus::kDown) == (event.kind == EventKind::kRestart));
  HandlerResult result = service.Run(node, state.body, std::span(&event, 1), choices);
  offered = std::move(result.choices_offered);
  LocalOutcome outcome;
  outcome.choices.assign(choices.begin(), choices.end());
  outcome.choices.resize(offered.size(), 0);
  outcome.choice_labels = std::move(result.choice_labels);
  outcome.weight = Together(result.choice_weights);
  outcome.next = {NodeStatus::kUp, state.faults, std::move(result.state)};
  if (!result.failure.empty()) {
    // The process is gone, and with it whatever it was about to send.
    outcome.next.status = NodeStatus::kFailed;
    outcome.next.body = std::move(result.failure);
    return outcome;
  }
  if (const std::optional<FaultKind> fault = FaultOf(event.kind)) {
    ++outcome.next.faults[*fault];
    if (InfoOf(*fault).stops) outcome.next.status = NodeStatus::kDown;
  }
  outcome.sends = std::move(result.sends);
  return outcome;
}

std::vector<LocalOutcome> RunAllChoices(const Service& service, NodeId node, const NodeState& state,
                                        const Event& event) {
  std::vector<LocalOutcome> outcomes;
  std::vector<uint32_t> choices;
  std::vector<uint32_t> offered;
  do {
    outcomes.push_back(RunLocal(service, node, state, event, choices, offered));
  } while (NextChoices(offered, choices));
  return outcomes;
}

}  // namespace foretell::model
