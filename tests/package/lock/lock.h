#pragma once

// A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once, and must not forget who holds the lock.

#include "foretell/service.h"

struct Lock {
  struct State {
    std::optional<foretell::NodeId> granted_to;  // At the server; the rest at a client.
    bool asked = false;
    bool holds = false;
    FORETELL_FIELDS(granted_to, asked, holds)
  };
  struct Acquire {};
  struct Grant {};
  struct Release {};
  using Message = std::variant<Acquire, Grant, Release>;
  using Action = std::variant<Acquire, Release>;  // What clients do by themselves.
  using NodeId = foretell::NodeId;
  using Context = foretell::Context<Message>;

  uint32_t clients = 2;
  bool forgets_holder = false;  // The planted bug.

  uint32_t node_count() const { return 1 + clients; }
  std::string Role(NodeId node) const { return node == NodeId(0) ? "server" : "client"; }
  foretell::FaultBudget faults(NodeId node) const { return {.crashes_max = node == NodeId(0)}; }

  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (state.holds) return {Release{}};
    return std::vector<Action>(node != NodeId(0) && !state.asked);  // One Acquire, or none.
  }
  void OnAction(State& state, const Action& action, Context& context) const {
    state.asked = true;
    state.holds = false;
    std::visit([&](auto word) { context.Send(NodeId(0), word); }, action);
  }
  void OnMessage(State& state, NodeId from, const Message& message, Context& context) const {
    if (std::holds_alternative<Grant>(message)) state.holds = true;
    if (std::holds_alternative<Release>(message)) state.granted_to.reset();
    if (std::holds_alternative<Acquire>(message) && !state.granted_to) {
      state.granted_to = from;
      context.Send(from, Grant{});
    }
  }
  // What survives a crash: what the server has on disk.
  State OnCrash(NodeId, const State& state) const { return forgets_holder ? State{} : state; }

  foretell::Invariants<State> Invariants() const {
    return {foretell::AtMostOne("one-holder", "No two clients hold the lock.", &State::holds),
            foretell::Reaches("granted", "Somebody gets the lock.", &State::holds)};
  }
};

inline foretell::Family<Lock> LockFamily() {
  return foretell::Family<Lock>({
      .name = "lock",
      .text = "A lock server and its clients.",
      .scenarios = {{"server-crashes", "The server may crash once, at any time."}},
      .bugs = {{"forgets-holder", "A crashed server does not know who holds the lock.",
                [](Lock& lock) { lock.forgets_holder = true; }}},
      .parameters = {{"clients", "how many clients there are", &Lock::clients, 1, 5}},
      .live = "server-crashes",
  });
}
