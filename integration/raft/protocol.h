#pragma once

// Debian's libraft, unmodified, as a service: nodes of a replicated key-value store.
//
// Disk operations are events of their own. Appends and truncations wait in a queue, as with the
// library's own disk, and the oldest becomes durable and is reported in one event: nobody can tell
// the two apart but a crash in between, and for that a restart chooses how many of those pending
// reached the disk. Terms and votes are written synchronously and may fail.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foretell/integration/raft/library/instance.h"
#include "foretell/integration/raft/values/messages.h"
#include "foretell/integration/raft/values/state.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::raft {

// Limits of what may happen at one node.
struct NodeOptions {
  Budget budget;
  uint8_t crashes_max = 0;
  uint8_t breaks_max = 0;
};

struct Protocol {
  using State = raft::State;
  using Message = raft::Message;
  using Action = raft::Action;
  using Live = Instance;
  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;

  std::shared_ptr<const Library> raft_library;
  model::NetworkKind network_kind = model::NetworkKind::kDatagrams;
  std::vector<NodeOptions> nodes;  // REQUIRES: one for each.
  bool running = false;            // Clients and timers are real; checks imagine them.
  bool early_warning = false;      // See MakeInvariants.

  uint32_t node_count() const { return raft_library->settings().node_count; }
  model::Network network() const { return {.kind = network_kind}; }
  model::FaultBudget faults(model::NodeId node) const;
  State Initial(model::NodeId node) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  Live Wake(model::NodeId node, State state, model::Life life) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnMessage(Live& live, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  void OnAction(Live& live, const Action& action, model::Context<Message>& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  void OnRestart(Live& live, model::Context<Message>& context) const;

  model::ActionTiming Timing(const Action& action) const;
  std::vector<Action> Calls(model::NodeId node, const State& state) const;
  // "Put(key=KEY, value=VALUE)".
  std::optional<Action> ParseCall(const std::string& text) const;
  // "role": what the node is and how far it got. "get KEY": "value VALUE index INDEX", as applied
  // to this node's state machine, or "nothing".
  std::optional<std::string> Ask(const State& state, const std::string& question) const;
  std::vector<Imagined> Imagine(const Cut& cut) const;

  bool Valid(const State& state) const { return raft::Valid(state, node_count()); }
  bool Valid(const Message& message) const { return raft::Valid(message); }
  bool Valid(const Action& action) const { return raft::Valid(action); }
};

}  // namespace foretell::integration::raft
