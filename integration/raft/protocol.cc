#include "foretell/integration/raft/protocol.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/invariants.h"
#include "foretell/model/check.h"

namespace foretell::integration::raft {

using model::ActionTiming;
using model::NodeId;
using Context = model::Context<Message>;

namespace {

void Spend(uint8_t& budget) {
  if (budget != 0 && budget != Budget::kUnlimited) --budget;
}

// How the disk fails while a handler runs: each synchronous write is a choice while failures are
// left.
Effects EffectsFor(Instance& live, Context& context) {
  Effects effects;
  if (live.budget().failures > 0) {
    effects.disk_fails = [&live, &context] {
      if (live.budget().failures == 0 || context.Choose(2) == 0) return false;
      Spend(live.budget().failures);
      return true;
    };
  }
  return effects;
}

void Report(const Effects& effects, Context& context) {
  for (const auto& [to, message] : effects.sends) context.Send(to, message);
  if (effects.election_timer_restarted) context.RestartTimer(Action(ElectionTimeout{}));
  context.Require(effects.failure.empty(), effects.failure);
}

}  // namespace

model::FaultBudget Protocol::faults(NodeId node) const {
  const NodeOptions& options = nodes[node.index()];
  return {.crashes_max = options.crashes_max, .breaks_max = options.breaks_max};
}

State Protocol::Initial(NodeId node) const {
  Instance instance(raft_library, node, Boot(nodes[node.index()].budget), Instance::Memory::kHeap);
  Effects effects;
  instance.Start(0, effects);
  FORETELL_CHECK(effects.failure.empty());
  return instance.state();
}

std::vector<model::TypedInvariant<State>> Protocol::Invariants() const {
  return MakeInvariants(early_warning);
}

Instance Protocol::Wake(NodeId node, State state, model::Life life) const {
  return Instance(raft_library, node, std::move(state),
                  life == model::Life::kRun ? Instance::Memory::kArena : Instance::Memory::kHeap);
}

std::vector<Action> Protocol::Actions(NodeId node, const State& state) const {
  std::vector<Action> actions;
  const Budget& budget = state.budget;
  if (state.role == Role::kStopped) return actions;
  if (state.role != Role::kLeader && budget.timeouts > 0) actions.push_back(ElectionTimeout{});
  if (state.role == Role::kLeader) {
    if (budget.heartbeats > 0) actions.push_back(Heartbeat{});
    if (budget.contact_checks > 0) actions.push_back(ContactCheck{});
    if (budget.puts > 0) {
      actions.push_back(Put{"x", absl::StrCat(node.value(), ".", uint32_t{budget.puts})});
    }
  }
  if (state.pending.empty()) return actions;
  const bool can_complete = CanComplete(state);
  if (can_complete) actions.push_back(DiskDone{});
  // Nobody is told when a truncation fails; so it does not.
  const bool append = state.pending.front().kind != Operation::Kind::kTruncate;
  if (append && (!can_complete || budget.failures > 0)) actions.push_back(DiskFail{});
  return actions;
}

void Protocol::OnMessage(Live& live, NodeId from, const Message& message, Context& context) const {
  Effects effects = EffectsFor(live, context);
  live.Deliver(from, message, effects);
  Report(effects, context);
}

void Protocol::OnAction(Live& live, const Action& action, Context& context) const {
  Effects effects = EffectsFor(live, context);
  if (std::holds_alternative<ElectionTimeout>(action)) {
    Spend(live.budget().timeouts);
    live.TimeOut(effects);
  } else if (std::holds_alternative<Heartbeat>(action)) {
    Spend(live.budget().heartbeats);
    live.SendHeartbeats(effects);
  } else if (std::holds_alternative<ContactCheck>(action)) {
    Spend(live.budget().contact_checks);
    live.CheckContacts(effects);
  } else if (const Put* put = std::get_if<Put>(&action)) {
    Spend(live.budget().puts);
    live.Apply(absl::StrCat("put ", put->key, " ", put->value), effects);
  } else if (std::holds_alternative<DiskDone>(action)) {
    context.Require(CanComplete(live.state()), "nothing waits for the disk");
    if (CanComplete(live.state())) live.FinishWrite(true, effects);
  } else {
    context.Require(!live.state().pending.empty(), "nothing waits for the disk");
    if (CanComplete(live.state())) Spend(live.budget().failures);
    if (!live.state().pending.empty()) live.FinishWrite(false, effects);
  }
  Report(effects, context);
}

State Protocol::OnCrash(NodeId, const State& state) const { return Stopped(state); }

void Protocol::OnRestart(Live& live, Context& context) const {
  const auto pending = static_cast<uint32_t>(live.state().pending.size());
  const uint32_t written = pending == 0 ? 0 : context.Choose(pending + 1);
  Effects effects;
  live.Start(written, effects);
  Report(effects, context);
}

ActionTiming Protocol::Timing(const Action& action) const {
  using std::chrono::milliseconds;
  using Origin = ActionTiming::Origin;
  // The library's defaults. Elections are spread as widely as it does itself.
  if (std::holds_alternative<ElectionTimeout>(action)) {
    return {Origin::kTimer, milliseconds(1000), milliseconds(1000)};
  }
  // A leader without heartbeats is none: to postpone them would cost the cluster its leader.
  if (std::holds_alternative<Heartbeat>(action)) {
    return {Origin::kTimer, milliseconds(100), milliseconds(0), /*vetoable=*/false};
  }
  if (std::holds_alternative<ContactCheck>(action)) {
    return {Origin::kTimer, milliseconds(1000), milliseconds(0)};
  }
  // To refuse one put is in vain, any other would do; and a disk does not wait.
  if (std::holds_alternative<Put>(action)) return {.vetoable = false};
  return {Origin::kTimer, milliseconds(0), milliseconds(0), /*vetoable=*/false};
}

}  // namespace foretell::integration::raft
