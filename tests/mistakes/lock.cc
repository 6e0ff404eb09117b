// A lock server, node 0, and its clients: the service that is right, in which compile.txt makes one
// mistake at a time. Node 0 may crash once; what it knows is on disk.

#include "foretell/service.h"

using namespace foretell;

struct Lock {
  struct State {
    std::optional<NodeId> granted_to;
    bool asked = false;
    bool holds = false;
    FORETELL_FIELDS(granted_to, asked, holds)
  };
  struct Acquire {
    uint32_t urgency = 0;
    FORETELL_FIELDS(urgency)
  };
  struct Grant {};
  using Message = std::variant<Acquire, Grant>;
  using Action = Acquire;

  uint32_t clients = 2;

  uint32_t node_count() const { return 1 + clients; }
  FaultBudget faults(NodeId node) const { return {.crashes_max = uint8_t(node == NodeId(0))}; }
  State OnCrash(NodeId, const State& state) const { return state; }

  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0) || state.asked) return {};
    return {{.urgency = 1}};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    state.asked = true;
    context.Send(NodeId(0), action);
  }

  void OnMessage(State& s, NodeId from, const Message& message, Context<Message>& context) const {
    if (std::holds_alternative<Grant>(message)) {
      s.holds = true;
    } else if (!s.granted_to) {
      s.granted_to = from;
      context.Send(from, Grant{});
    }
  }

  foretell::Invariants<State> Invariants() const {
    return {
        AtMostOne("one-holder", "No two clients hold the lock.", &State::holds),
    };
  }
};

const Family<Lock> kLock{{
    .name = "lock",
    .text = "A lock server and its clients.",
    .parameters = {{"clients", "How many clients there are.", &Lock::clients, 1, 7}},
}};
