#include "foretell/model/plain/local_step.h"

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

}  // namespace

std::vector<Event> LocalEvents(const Service& service, NodeId node, const NodeState& state) {
  std::vector<Event> events;
  if (state.status == NodeStatus::kDown) events.push_back({.kind = EventKind::kRestart});
  if (state.status != NodeStatus::kUp) return events;
  for (std::string& body : service.Actions(node, state.body)) {
    events.push_back({.kind = EventKind::kAction, .body = std::move(body)});
  }
  const FaultBudget faults = service.faults(node);
  if (state.crashes < faults.crashes_max) events.push_back({.kind = EventKind::kCrash});
  const bool streams = service.network().kind == NetworkKind::kStreams;
  if (streams && state.breaks < faults.breaks_max) {
    for (uint32_t peer = 0; peer < service.node_count(); ++peer) {
      if (NodeId(peer) == node) continue;
      events.push_back({.kind = EventKind::kBreak, .peer = NodeId(peer)});
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
  outcome.next = {NodeStatus::kUp, state.crashes, state.breaks, std::move(result.state)};
  if (!result.failure.empty()) {
    // The process is gone, and with it whatever it was about to send.
    outcome.next.status = NodeStatus::kFailed;
    outcome.next.body = std::move(result.failure);
    return outcome;
  }
  if (event.kind == EventKind::kCrash) {
    outcome.next.status = NodeStatus::kDown;
    ++outcome.next.crashes;
  }
  if (event.kind == EventKind::kBreak) ++outcome.next.breaks;
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
