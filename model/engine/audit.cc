// The part of TransitionTable that catches services which are not what they claim: functions of
// state and event. Memoization is wrong for such a service, and so would be every verdict.

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::model {
void TransitionTable::Report(const Execution& execution, const std::string& what) {
  if (nondeterminism_) return;
  nondeterminism_ =
      absl::StrCat(Describe(service_, execution.node, EventOf(execution.event)), ": ", what);
}

void TransitionTable::Audit() {
  for (size_t i = 0; i < remembered_.size() && !nondeterminism_; ++i) AuditOne(remembered_[i]);
}

void TransitionTable::AuditOne(const Execution& execution) {
  const auto& [node, state, event] = execution;
  const std::vector<Event> enabled = model::LocalEvents(service_, node, StateOf(node, state));
  if (const auto& known = nodes_[node.index()].local_events;
      state.index() < known.size() && known[state.index()].known &&
      known[state.index()].events.size() != enabled.size()) {
    return Report(execution, "the same state enabled different actions");
  }
  const std::span<const Step> before =
      nodes_[node.index()].steps.at(PairKey(state.value(), event.value()));
  const std::vector<LocalOutcome> again =
      RunAllChoices(service_, node, StateOf(node, state), EventOf(event));
  if (again.size() != before.size()) {
    return Report(execution, absl::StrCat("the same state and event had ", before.size(),
                                          " outcomes first and ", again.size(), " when run again"));
  }
  for (size_t i = 0; i < again.size(); ++i) {
    if (InternState(node, again[i].next) != before[i].next) {
      return Report(execution, "the same state and event led to two different states");
    }
    if (InternSends(node, again[i].sends) != before[i].sends) {
      return Report(execution, "the same state and event sent different messages");
    }
  }
  if (before.size() == 1) AuditCapture(execution, again[0]);
}

// Runs the event and then another, once on the live state object and once through the encoding in
// between. A difference is state that the encoding leaves out. The other is each action that the
// node could take next, and a delivered message once more: what they do tells most of what a node
// may keep to itself.
void TransitionTable::AuditCapture(const Execution& execution, const LocalOutcome& outcome) {
  const auto& [node, state, event] = execution;
  if (outcome.next.status != NodeStatus::kUp || !outcome.choices.empty()) return;
  const Event first = EventOf(event);
  std::vector<Event> seconds;
  if (first.kind == EventKind::kDeliver) seconds.push_back(first);
  for (Event& enabled : model::LocalEvents(service_, node, outcome.next)) {
    if (enabled.kind == EventKind::kAction) seconds.push_back(std::move(enabled));
  }
  for (const Event& second : seconds) {
    const Event both[] = {first, second};
    const HandlerResult live = service_.Run(node, StateOf(node, state).body, both, {});
    const HandlerResult encoded = service_.Run(node, outcome.next.body, std::span(&second, 1), {});
    if (live.state == encoded.state && live.sends == encoded.sends &&
        live.failure == encoded.failure && live.choices_offered == encoded.choices_offered) {
      continue;
    }
    return Report(execution,
                  "what happens next depends on state that the encoding leaves out (a member "
                  "missing in Fields?)");
  }
}

}  // namespace foretell::model
