#pragma once

// A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once, and must not forget who holds the lock.

#include "foretell/service.h"

struct Lock {
  using NodeId = foretell::NodeId;
  struct State {
    std::optional<NodeId> granted_to;  // At the server; the rest at a client.
    bool asked = false;
    bool holds = false;
    FORETELL_FIELDS(granted_to, asked, holds)
  };
  struct Acquire {};
  struct Grant {};
  struct Release {};
  using Message = std::variant<Acquire, Grant, Release>;
  using Action = std::variant<Acquire, Release>;  // What clients do by themselves.
  using Context = foretell::Context<Message>;

  static constexpr NodeId kServer{0};
  uint32_t clients = 2;
  bool forgets_holder = false;  // The planted bug.

  uint32_t node_count() const { return 1 + clients; }
  std::string Role(NodeId node) const { return node == kServer ? "server" : "client"; }
  foretell::FaultBudget faults(NodeId node) const { return {.crashes_max = node == kServer}; }

  bool Can(NodeId node, const State& s, Acquire) const { return node != kServer && !s.asked; }
  bool Can(NodeId, const State& state, Release) const { return state.holds; }
  void OnAction(State& state, const auto& acquire_or_release, Context& context) const {
    state.asked = true;
    state.holds = false;
    context.Send(kServer, acquire_or_release);
  }
  void OnMessage(State& state, NodeId from, Acquire, Context& context) const {
    if (state.granted_to) return;
    state.granted_to = from;
    context.Send(from, Grant{});
  }
  void OnMessage(State& state, NodeId, Grant, Context&) const { state.holds = true; }
  void OnMessage(State& state, NodeId, Release, Context&) const { state.granted_to.reset(); }
  // What survives a crash: what the server has on disk.
  State OnCrash(NodeId, const State& state) const { return forgets_holder ? State{} : state; }

  foretell::Invariants<State> Invariants() const {
    return {foretell::AtMostOne("one-holder", "No two clients hold the lock.", &State::holds),
            foretell::Reaches("granted", "Somebody gets the lock.", &State::holds)};
  }
};

inline const foretell::Family<Lock> kLock({
    .text = "A lock server that may crash, and its clients.",
    .bugs = {{"forgets-holder", "A crashed server forgets the holder.", &Lock::forgets_holder}},
    .parameters = {{"clients", "how many clients there are", &Lock::clients, 1, 5}},
});
