#pragma once

// Dining philosophers on a ring (DEMETER sections 5.1 and 6.1). Each eats once: it takes its left
// fork, then its right one, eats and puts both back. All of them with their left fork in hand is
// the well-known deadlock.
//
// Philosopher i is node 2i, its left fork is node 2i+1, its right fork is the left one of
// philosopher i+1. Forks are nodes of their own; they are asked for, granted and returned by
// message. A fork takes note of requests and returns, and grants by a step of its own: what comes
// in does not depend on what else came in, as long as it is not who was first.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::philosophers {

enum class Phase : uint8_t { kThinks, kWantsLeft, kWantsRight, kEats, kDone };

struct Protocol {
  struct State {
    Phase phase = Phase::kThinks;         // A philosopher.
    std::optional<model::NodeId> holder;  // A fork.
    std::vector<model::NodeId> waiting;   // A fork: who comes next, first in, first out.
    FORETELL_FIELDS(phase, holder, waiting)
  };
  // Philosopher to fork.
  struct Take {};
  // Fork to philosopher.
  struct Granted {};
  // Philosopher to fork.
  struct Return {};
  struct Hungry {};
  struct Done {};
  // By a fork.
  struct Grant {
    model::NodeId to;
    FORETELL_FIELDS(to)
  };
  using Message = std::variant<Take, Granted, Return>;
  using Action = std::variant<Hungry, Done, Grant>;

  uint32_t philosophers = 3;  // At least 2.
  bool greedy = false;        // The bug: a fork is granted to whoever asks.

  uint32_t node_count() const { return 2 * philosophers; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  model::NodeId LeftOf(model::NodeId philosopher) const;
  model::NodeId RightOf(model::NodeId philosopher) const;
  void OnGranted(State& state, model::NodeId fork, model::Context<Message>& context) const;
  void OnReturn(State& state, model::NodeId philosopher, model::Context<Message>& context) const;
};

}  // namespace foretell::integration::philosophers
