#pragma once

// A lock server, node 0, and two clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once. What it must not do is forget who holds the lock.

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace lock {

using foretell::model::Context;
using foretell::model::FaultBudget;
using foretell::model::InitialCut;
using foretell::model::MakeService;
using foretell::model::Named;
using foretell::model::NodeId;
using foretell::model::PairInvariant;
using foretell::model::ServiceFamily;
using foretell::model::System;
using foretell::model::TypedInvariant;

enum class Word : uint8_t { kAcquire, kGrant, kRelease };
inline const char* EnumName(Word word) {
  return word == Word::kAcquire ? "acquire" : word == Word::kGrant ? "grant" : "release";
}

struct LockProtocol {
  struct State {
    std::optional<NodeId> granted_to;  // At the server.
    bool asked = false;                // At a client, like the next one.
    bool holds = false;
    FORETELL_FIELDS(granted_to, asked, holds)
  };
  struct Message {
    static constexpr const char* kName = "Lock";
    Word word = Word::kAcquire;
    FORETELL_FIELDS(word)
  };
  using Action = Message;  // A client acts by itself: it acquires, it releases.

  bool forgets_holder = false;  // The planted bug.

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  FaultBudget faults(NodeId node) const {
    return {.crashes_max = static_cast<uint8_t>(node == NodeId(0) ? 1 : 0)};
  }

  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0)) return {};
    if (state.holds) return {{Word::kRelease}};
    return state.asked ? std::vector<Action>{} : std::vector<Action>{{Word::kAcquire}};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    state.asked = true;
    state.holds = false;
    context.Send(NodeId(0), action);
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    if (message.word == Word::kGrant) state.holds = true;
    if (message.word == Word::kRelease) state.granted_to.reset();
    if (message.word == Word::kAcquire && !state.granted_to) {
      state.granted_to = from;
      context.Send(from, {Word::kGrant});
    }
  }
  // What survives a crash: what the server has on disk.
  State OnCrash(NodeId node, const State& state) const {
    return forgets_holder ? Initial(node) : state;
  }

  std::vector<TypedInvariant<State>> Invariants() const {
    return {PairInvariant<State, bool>(
        {.name = "one-holder", .text = "No two clients hold the lock."},
        [](NodeId, const State& s) { return s.holds ? std::optional(true) : std::nullopt; },
        [](bool, bool) { return true; })};  // Any two that hold it are too many.
  }
};

class LockFamily : public ServiceFamily {
 public:
  std::string name() const override { return "lock"; }
  std::string text() const override { return "A lock server and two clients."; }
  std::vector<Named> scenarios() const override {
    return {{"server-crashes", "The server may crash once, at any time."}};
  }
  std::vector<Named> bugs() const override {
    return {{"forgets-holder", "A crashed server does not know who holds the lock."}};
  }
  absl::StatusOr<System> Make(const std::string&, const std::string& bug) const override {
    System system{MakeService(LockProtocol{.forgets_holder = bug == "forgets-holder"}), {}};
    system.start = InitialCut(*system.service);
    return system;
  }
};

}  // namespace lock
