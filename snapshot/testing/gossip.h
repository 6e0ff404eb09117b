#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::snapshot {

// A service whose states tell histories apart: every handler mixes what it saw into a digest, and
// what is sent, and to whom, depends on the digest. No two messages are equal.
struct Gossip {
  struct State {
    uint64_t digest = 0;
    uint32_t sent = 0;
    uint32_t lives = 1;    // Survives a crash, as does what follows.
    uint64_t on_disk = 0;  // The digest when last written.
    FORETELL_FIELDS(digest, sent, lives, on_disk)
  };
  struct Message {
    static constexpr const char* kName = "Rumour";
    uint32_t origin = 0;
    uint32_t life = 0;
    uint32_t count = 0;
    uint32_t hops = 0;
    FORETELL_FIELDS(origin, life, count, hops)
  };
  struct Action {
    static constexpr const char* kName = "Tick";
    uint32_t burst = 0;  // The number of messages to send.
    FORETELL_FIELDS(burst)
  };

  uint32_t nodes = 2;
  model::NetworkKind kind = model::NetworkKind::kDatagrams;

  uint32_t node_count() const { return nodes; }
  model::Network network() const { return {.kind = kind}; }
  State Initial(model::NodeId node) const { return {.digest = node.value()}; }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(model::NodeId, const State&) const { return {Action{1}}; }

  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    Mix(state, from.value());
    Mix(state, message.origin);
    Mix(state, message.life);
    Mix(state, message.count);
    if (state.digest % 4 == 0) state.on_disk = state.digest;
    if (message.hops > 0) Tell(state, message.hops - 1, context);
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    Mix(state, action.burst);
    for (uint32_t i = 0; i < action.burst; ++i) Tell(state, state.digest % 3, context);
  }
  State OnCrash(model::NodeId, const State& state) const {
    return {.digest = state.on_disk, .lives = state.lives, .on_disk = state.on_disk};
  }
  void OnRestart(State& state, model::Context<Message>& context) const {
    ++state.lives;
    if (state.digest % 2 == 0) Tell(state, 1, context);
  }
  void OnBreak(State& state, model::NodeId peer, model::Context<Message>&) const {
    Mix(state, 1000 + peer.value());
  }

 private:
  static void Mix(State& state, uint64_t value) {
    state.digest = (state.digest ^ (value + 1)) * 0x9e3779b97f4a7c15u;
    state.digest ^= state.digest >> 29;
  }
  static void Tell(State& state, uint64_t hops, model::Context<Message>& context) {
    ++state.sent;
    Mix(state, state.sent);
    context.Send(model::NodeId(static_cast<uint32_t>(state.digest % context.node_count())),
                 {context.self().value(), state.lives, state.sent, static_cast<uint32_t>(hops)});
  }
};

}  // namespace foretell::snapshot
