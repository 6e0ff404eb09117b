// The part of TransitionTable that finds state which the encoding leaves out: events are run one
// after the other on one live state object, which keeps such state, and compared with what the
// table takes them for, where every event starts from an encoding.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::model {
namespace {

// What follows on a failure does not count.
bool SameResult(const HandlerResult& a, const HandlerResult& b) {
  if (!a.failure.empty()) return a.failure == b.failure;
  return b.failure.empty() && a.state == b.state && a.sends == b.sends &&
         a.choices_offered == b.choices_offered;
}

// Tells a service that forgets from one that changes its mind, which differs from itself, or does
// not always differ from what its encodings lead to. `live` is what `events` led to from `state`.
bool Forgets(const Service& service, NodeId node, const std::string& state,
             std::span<const Event> events, const HandlerResult& live) {
  constexpr size_t kAgain = 8;
  for (size_t i = 0; i < kAgain; ++i) {
    // Something in between, more each time: a mind may change at regular intervals.
    for (size_t n = 0; n < i; ++n) service.Run(node, state, events.first(1), {});
    const HandlerResult again = service.Run(node, state, events, {});
    HandlerResult encoded{.state = state};
    for (const Event& event : events) {
      encoded = service.Run(node, encoded.state, std::span(&event, 1), {});
    }
    if (!SameResult(live, again) || SameResult(again, encoded)) return false;
  }
  return true;
}

}  // namespace

// Runs the execution and then others: the same message once more, the actions that are enabled
// next, and then whatever an engine has let follow on it, in a walk along remembered steps. What
// no engine asked for is not tried, but for the first two: a handler need not be prepared for it.
void TransitionTable::AuditCapture(const Execution& execution, StateId next, uint64_t runs_max) {
  constexpr size_t kWalkMax = 8;
  const auto& [node, state, event] = execution;
  if (status(node, next) != NodeStatus::kUp) return;
  std::vector<Event> walk = {EventOf(event)};
  std::vector<Event> seconds;
  if (event.is_deliver()) seconds.push_back(walk[0]);
  for (Event& enabled : model::LocalEvents(service_, node, StateOf(node, next))) {
    if (enabled.kind == EventKind::kAction) seconds.push_back(std::move(enabled));
  }
  for (Event& second : seconds) {
    walk.push_back(std::move(second));
    if (!Captured(execution, walk, StateOf(node, next))) return;
    walk.pop_back();
  }
  uint32_t salt = state.value() * 31 + event.value();
  for (StateId at = next; walk.size() < kWalkMax && runs_max >= 2; ++salt) {
    const std::vector<EventId> followers = Followers(node, at, salt);
    const size_t tried = std::min<size_t>(followers.size(), runs_max / 4 + 1);
    std::optional<std::pair<EventId, StateId>> extension;
    for (size_t i = 0; i < tried; ++i) {
      walk.push_back(EventOf(followers[i]));
      if (!Captured(execution, walk, StateOf(node, at))) return;
      walk.pop_back();
      const std::optional<StateId> then = OnlyNext(node, at, followers[i]);
      // Somewhere else, if that is to be had: hidden state may be read only there.
      if (then && (!extension || extension->second == at)) extension = {followers[i], *then};
    }
    if (!extension) return;
    runs_max -= std::min<uint64_t>(runs_max, 2 * tried);
    walk.push_back(EventOf(extension->first));
    at = extension->second;
  }
}

// Whether the last of `events`, run after the others, does what it does in `last`, which is what
// the table says the others lead to.
bool TransitionTable::Captured(const Execution& execution, const std::vector<Event>& events,
                               const NodeState& last) {
  const NodeId node = execution.node;
  const std::string from = StateOf(node, execution.state).body;
  const HandlerResult live = service_.Run(node, from, events, {});
  const std::span<const Event> final_event(&events.back(), 1);
  std::string before = last.body;
  if (auxiliary_) {
    // The table's state may stand for the one that the others lead to; its auxiliary part differs.
    before = from;
    for (const Event& event : std::span(events).first(events.size() - 1)) {
      before = service_.Run(node, before, std::span(&event, 1), {}).state;
    }
  }
  if (SameResult(live, service_.Run(node, before, final_event, {}))) return true;
  Report(execution,
         Forgets(service_, node, from, events, live)
             ? absl::StrCat("what happens next depends on state that the encoding leaves out (a "
                            "member missing in Fields?): then ",
                            Describe(service_, node, events.back()), " goes differently")
             : absl::StrCat("the same state and events led to two different states, or sent "
                            "different messages",
                            kSomethingElse));
  return false;
}

// Events that were run in `state`, a sample of them. `salt` says where in the messages it begins.
std::vector<EventId> TransitionTable::Followers(NodeId node, StateId state, uint32_t salt) const {
  constexpr size_t kLookups = 256;
  const Node& known = nodes_[node.index()];
  std::vector<EventId> followers;
  const auto add = [&](EventId event) {
    if (known.steps.contains(PairKey(state.value(), event.value()))) followers.push_back(event);
  };
  for (size_t i = 0; i < std::min(kLookups, known.messages.size()); ++i) {
    add(EventId::Deliver(known.messages[(salt + i) % known.messages.size()]));
  }
  if (state.index() < known.local_events.size()) {
    for (const EventId event : known.local_events[state.index()].events) add(event);
  }
  return followers;
}

// Where `event` leads if that is the only way it can turn out and the node lives on. Only the last
// of several events may choose.
std::optional<StateId> TransitionTable::OnlyNext(NodeId node, StateId state, EventId event) const {
  const std::span<const Step> steps =
      nodes_[node.index()].steps.at(PairKey(state.value(), event.value()));
  if (steps.size() != 1 || !ChoicesOf(steps[0]).empty()) return std::nullopt;
  if (status(node, steps[0].next) == NodeStatus::kFailed) return std::nullopt;
  return steps[0].next;
}

}  // namespace foretell::model
