#pragma once

// Small services whose fate anybody can work out on paper.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {

// A token goes around three nodes. Node 0 may make a new one if it does not have it.
struct TokenRing {
  struct State {
    bool token = false;
    FORETELL_FIELDS(token)
  };
  struct Token {};
  struct Pass {};
  struct Regenerate {};
  using Message = std::variant<Token>;
  using Action = std::variant<Pass, Regenerate>;

  bool regenerates = false;

  uint32_t node_count() const { return 3; }
  State Initial(model::NodeId node) const { return {.token = node == model::NodeId(0)}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (state.token) return {Pass{}};
    return regenerates && node == model::NodeId(0) ? std::vector<Action>{Regenerate{}}
                                                   : std::vector<Action>{};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    state.token = std::holds_alternative<Regenerate>(action);
    if (!state.token) context.Send(model::NodeId((context.self().value() + 1) % 3), Token{});
  }
  void OnMessage(State& state, model::NodeId, const Message&, model::Context<Message>&) const {
    state.token = true;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("home", "Node 0 has the token.",
                              [](model::NodeId node, const State& state) {
                                return node != model::NodeId(0) || state.token;
                              })};
  }
};

// Node 0 proposes an attack until node 1 agrees; node 1 must say so each time it is asked.
struct TwoGenerals {
  struct State {
    bool proposed = false;
    bool agreed = false;
    FORETELL_FIELDS(proposed, agreed)
  };
  struct Attack {};
  struct Agreed {};
  struct Propose {};
  struct Repeat {};
  using Message = std::variant<Attack, Agreed>;
  using Action = std::variant<Propose, Repeat>;

  bool answers_once = false;

  uint32_t node_count() const { return 2; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (node == model::NodeId(1) || state.agreed) return {};
    return {state.proposed ? Action(Repeat{}) : Action(Propose{})};
  }
  model::ActionTiming Timing(const Action& action) const {
    using Origin = model::ActionTiming::Origin;
    return {.origin = std::holds_alternative<Propose>(action) ? Origin::kCall : Origin::kTimer};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.proposed = true;
    context.Send(model::NodeId(1), Attack{});
  }
  void OnMessage(State& state, model::NodeId from, const Message&,
                 model::Context<Message>& context) const {
    const bool again = state.agreed;
    state.agreed = true;
    if (from == model::NodeId(0) && !(answers_once && again)) context.Send(from, Agreed{});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("both", "Both generals agree.", &State::agreed)};
  }
};

// Node 0 is a lock, nodes 1 and 2 may ask for it, until they have it, and give it back, once. A
// request that comes too late is granted to who does not want it any more.
struct LossyLock {
  struct State {
    std::optional<uint32_t> holder;  // Of the lock, ...
    bool waits = false;              // ... and of a client.
    bool holds = false;
    FORETELL_FIELDS(holder, waits, holds)
  };
  struct Request {};
  struct Grant {};
  struct Free {};
  struct Acquire {};
  struct Retry {};
  struct Release {};
  using Message = std::variant<Request, Grant, Free>;
  using Action = std::variant<Acquire, Retry, Release>;

  bool asks_once = false;

  uint32_t node_count() const { return 3; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    if (node == model::NodeId(0) || (asks_once && state.waits)) return {};
    if (state.holds) return {Release{}};
    return {state.waits ? Action(Retry{}) : Action(Acquire{})};
  }
  model::ActionTiming Timing(const Action& action) const {
    using Origin = model::ActionTiming::Origin;
    return {.origin = std::holds_alternative<Acquire>(action) ? Origin::kCall : Origin::kTimer};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    state.waits = !std::holds_alternative<Release>(action);
    state.holds = false;
    context.Send(model::NodeId(0), state.waits ? Message(Request{}) : Message(Free{}));
  }
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (std::holds_alternative<Grant>(message)) {
      if (state.waits) state = {.holds = true};
    } else if (std::holds_alternative<Free>(message)) {
      if (state.holder == from.value()) state.holder.reset();
    } else if (!state.holder || *state.holder == from.value()) {
      state.holder = from.value();
      context.Send(from, Grant{});
    }
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {
        model::Eventually("free", "The lock is free.", [](model::NodeId node, const State& state) {
          return node != model::NodeId(0) || !state.holder;
        })};
  }
};

// Over streams: node 1 says hello until it is let in, and may crash once; node 0 lets nobody in who
// is a member already.
struct ForgetfulMember {
  struct State {
    bool in = false;      // Of node 1.
    bool member = false;  // Of node 0: node 1 is one.
    bool asked = false;
    FORETELL_FIELDS(in, member, asked)
  };
  struct Hello {};
  struct Welcome {};
  struct Knock {};
  using Message = std::variant<Hello, Welcome>;
  using Action = std::variant<Knock>;

  bool lets_in_again = false;

  uint32_t node_count() const { return 2; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  model::FaultBudget faults(model::NodeId node) const {
    return {.crashes_max = static_cast<uint8_t>(node == model::NodeId(1) ? 1 : 0)};
  }
  std::vector<Action> Actions(model::NodeId node, const State& state) const {
    const bool knocks = node == model::NodeId(1) && !state.asked;
    return knocks ? std::vector<Action>{Knock{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.asked = true;
    context.Send(model::NodeId(0), Hello{});
  }
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (std::holds_alternative<Welcome>(message)) {
      state.in = true;
    } else if (!state.member || lets_in_again) {
      state.member = true;
      context.Send(from, Welcome{});
    }
  }
  // The other end of a stream that is gone may have to be told again.
  void OnBreak(State& state, model::NodeId, model::Context<Message>&) const {
    if (!state.in) state.asked = false;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("in", "Node 1 is in.", [](model::NodeId node, const State& state) {
      return node == model::NodeId(0) || state.in;
    })};
  }
};

}  // namespace foretell::search
