// What Core does under a guard: events that were handled ahead happen, are refused, or are handled
// once more.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/node/core.h"

namespace foretell::integration::sdk {

using model::Event;
using model::EventKind;
using snapshot::GuardAnswer;

absl::StatusOr<snapshot::GuardJoined> Core::Guard(GuardLine::Session session,
                                                  const snapshot::GuardTerms& terms,
                                                  snapshot::GuardChannel channel) {
  // The agent is told of the node as it is, and is asked about everything after that.
  std::deque<Held> chain = std::exchange(chain_, {});
  line_.Rollback(*live_);
  auto joined = line_.Join(session, terms, std::move(channel), *live_);
  Redo(std::move(chain));
  Drain();
  return joined;
}

void Core::EndGuard(GuardLine::Session session) {
  line_.End(session);
  Drain();
}

void Core::AnswerGuard(GuardLine::Session session, const GuardAnswer& answer) {
  line_.OnAnswer(session, answer);
  Drain();
}

void Core::ExpireGuard() {
  line_.OnTime(options_.now());
  Drain();
}

void Core::Defer(bool alone, std::function<void()> input) {
  deferred_.push_back({alone, std::move(input)});
  if (deferred_.size() <= kHeldMax) return;
  line_.LapseWaiting(absl::StrCat(kHeldMax, " inputs wait already"));
  Drain();
}

void Core::Drain() {
  // What happens below may come back here; the loop that is under way takes care of it.
  if (std::exchange(draining_, true)) return;
  DrainChain();
  while (waits() && failure_.empty() && (chain_.empty() || !deferred_.front().alone)) {
    const Deferred next = std::move(deferred_.front());
    deferred_.pop_front();
    next.input();
    DrainChain();
  }
  draining_ = false;
}

void Core::DrainChain() {
  while (!chain_.empty() && failure_.empty()) {
    const std::optional<GuardAnswer> answer = line_.AnswerOf(chain_.front().step);
    if (!answer) return;
    if (!answer->granted) {
      Refuse(*answer);
      continue;
    }
    Held held = std::move(chain_.front());
    chain_.pop_front();
    live_ = std::move(held.after);
    if (held.step != 0) line_.Applied(held.step, options_.now());
    const std::string rendered = held.call ? service_.RenderAction(held.event.body) : "";
    const bool timer = held.event.kind == EventKind::kAction && !held.call;
    if (Absorb(held.event, std::move(held.result)) != Handled::kDone) return;
    stats_.timers += timer ? 1 : 0;
    if (!held.call) continue;
    ++stats_.calls;
    held.call->answered = true;
    held.call->answer = {CallAnswer::Kind::kDone, rendered, "", ""};
    if (held.call->later) held.call->later(held.call->answer);
  }
}

// The first is refused; those after it have seen it happen, and are handled again without it.
void Core::Refuse(const GuardAnswer& answer) {
  std::deque<Held> chain = std::exchange(chain_, {});
  line_.Rollback(*live_);
  ++version_;
  ++stats_.vetoed;
  ++stats_.guard_refused;
  Held refused = std::move(chain.front());
  chain.pop_front();
  if (refused.call) {
    const std::string rendered = service_.RenderAction(refused.event.body);
    ++stats_.calls_refused;
    refused.call->answer = {CallAnswer::Kind::kRefused, rendered, answer.decision,
                            absl::StrCat(rendered, " would violate ", answer.invariant)};
    TryCalls(refused.call);
  } else {
    Vetoed(refused.event);
  }
  Redo(std::move(chain));
}

void Core::Redo(std::deque<Held> chain) {
  if (!chain.empty()) ++version_;
  for (Held& held : chain) {
    ++stats_.guard_redone;
    Redo(std::move(held));
  }
}

void Core::Redo(Held held) {
  if (held.call) {
    return BeginCall(held.call);  // What can be called may have changed.
  }
  if (held.event.kind == EventKind::kAction) {
    if (const auto until = Fire(held.event.body)) Postpone(held.event.body, *until);
    return;
  }
  if (Handle(held.event, held.vetoable) == Handled::kVetoed) Vetoed(held.event);
}

void Core::Vetoed(const Event& event) {
  if (event.kind == EventKind::kAction) {
    return Postpone(event.body, options_.now() + PauseOf(event.body));
  }
  // A stream without one of its messages is no stream: whatever stops the message, resets it.
  const bool delivery = event.kind == EventKind::kDeliver;
  if (delivery && streams_ && event.peer != options_.node) ResetStream(event.peer);
}

void Core::Postpone(const std::string& action, Time until) {
  if (options_.postpone) options_.postpone(action, until);
}

std::chrono::milliseconds Core::PauseOf(const std::string& action) const {
  return std::max(service_.Timing(action).delay, std::chrono::milliseconds(1));
}

}  // namespace foretell::integration::sdk
