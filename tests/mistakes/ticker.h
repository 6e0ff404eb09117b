#pragma once

// The service in which the mistakes that run are made: node 0 ticks three times, and tells node 1
// each time.

#include <utility>

#include "foretell/model/typed/foretell.h"

namespace foretell::mistakes {

struct Tick {};
struct Ping {};

struct Ticker {
  struct State {
    uint32_t ticks = 0;
    bool alarmed = false;
    FORETELL_FIELDS(ticks, alarmed)
  };
  using Message = Ping;
  using Action = Tick;
  static constexpr uint32_t kNodes = 2;
  static constexpr uint32_t kTicks = 3;

  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node != NodeId(0) || state.ticks == kTicks) return {};
    return {{}};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.ticks;
    context.Send(NodeId(1), {});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    if (state.ticks < kTicks) ++state.ticks;
  }
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.", &State::alarmed)};
  }
};

template <class P>
Family<P> FamilyOf(P protocol = {}) {
  return Family<P>({.name = "ticker", .text = "Ticks.", .protocol = std::move(protocol)});
}

}  // namespace foretell::mistakes
