// Single-decree Paxos: every node is proposer, acceptor and learner, and messages to oneself go
// through the network. The twin in Go is integration/languages/go/paxos.

#include "foretell/service.h"

struct Paxos {
  static constexpr uint32_t kNodes = 3;
  struct State {
    uint32_t left = 0;  // Proposals that it may still make.
    uint32_t ballot = 0;
    uint32_t promises = 0;  // Of `ballot`, one bit for each node; none once they are enough.
    uint32_t best_ballot = 0;
    uint32_t value = 0;  // That is proposed.
    uint32_t promised = 0;
    uint32_t accepted_ballot = 0;
    uint32_t accepted_value = 0;
    uint32_t heard_ballot =
        0;  // The learner: who accepted the highest ballot that it has heard of.
    uint32_t heard = 0;
    uint32_t chosen = 0;
    FORETELL_FIELDS(left, ballot, promises, best_ballot, value, promised, accepted_ballot,
                    accepted_value, heard_ballot, heard, chosen)
  };
  struct Prepare {
    uint32_t ballot = 0;
    FORETELL_FIELDS(ballot)
  };
  struct Promise {
    uint32_t ballot = 0;
    uint32_t accepted_ballot = 0;
    uint32_t accepted_value = 0;
    FORETELL_FIELDS(ballot, accepted_ballot, accepted_value)
  };
  struct Accept {
    uint32_t ballot = 0;
    uint32_t value = 0;
    FORETELL_FIELDS(ballot, value)
  };
  struct Accepted {
    uint32_t ballot = 0;
    uint32_t value = 0;
    FORETELL_FIELDS(ballot, value)
  };
  struct Propose {};
  using NodeId = foretell::NodeId;
  using Message = std::variant<Prepare, Promise, Accept, Accepted>;
  using Action = Propose;
  using Context = foretell::Context<Message>;

  uint32_t proposers = 2;
  bool ignores_accepted = false;  // The planted bug.

  uint32_t node_count() const { return kNodes; }
  foretell::FaultBudget faults(NodeId node) const { return {.crashes_max = node == NodeId(2)}; }
  State Initial(NodeId node) const { return {.left = node.value() < proposers}; }
  bool Can(NodeId, const State& state, Propose) const { return state.left > 0; }

  static bool IsMajority(uint32_t nodes) { return (nodes & (nodes - 1)) != 0; }

  void OnAction(State& s, Propose, Context& context) const {
    s.left = 0;
    s.ballot = context.self().value() + 1;
    s.value = context.self().value() + 1;
    context.Broadcast(Prepare{s.ballot});
  }
  void OnMessage(State& s, NodeId from, const Prepare& m, Context& context) const {
    if (m.ballot <= s.promised) return;
    s.promised = m.ballot;
    context.Send(from, Promise{m.ballot, s.accepted_ballot, s.accepted_value});
  }
  void OnMessage(State& s, NodeId from, const Promise& m, Context& context) const {
    if (m.ballot != s.ballot) return;
    if (m.accepted_ballot > s.best_ballot && !ignores_accepted) {
      s.best_ballot = m.accepted_ballot;
      s.value = m.accepted_value;
    }
    s.promises |= 1u << from.value();
    if (!IsMajority(s.promises)) return;
    context.Broadcast(Accept{s.ballot, s.value});
    s.ballot = s.promises = s.best_ballot = s.value = 0;
  }
  void OnMessage(State& s, NodeId, const Accept& m, Context& context) const {
    if (m.ballot < s.promised) return;
    s.promised = s.accepted_ballot = m.ballot;
    s.accepted_value = m.value;
    context.Broadcast(Accepted{m.ballot, m.value});
  }
  void OnMessage(State& s, NodeId from, const Accepted& m, Context&) const {
    if (m.ballot > s.heard_ballot) s.heard_ballot = m.ballot, s.heard = 0;
    if (m.ballot == s.heard_ballot) s.heard |= 1u << from.value();
    if (m.ballot == s.heard_ballot && IsMajority(s.heard)) s.chosen = m.value;
  }
  // What is on disk: the acceptor, and what was chosen.
  State OnCrash(NodeId, const State& s) const {
    return {.promised = s.promised,
            .accepted_ballot = s.accepted_ballot,
            .accepted_value = s.accepted_value,
            .chosen = s.chosen};
  }

  foretell::Invariants<State> Invariants() const {
    const auto chosen = [](const State& s) {
      return s.chosen > 0 ? std::optional(s.chosen) : std::nullopt;
    };
    return {foretell::Agreement("agreement", "No two nodes choose different values.", chosen),
            foretell::Reaches("chosen", "A node chooses.",
                              [](const State& s) { return s.chosen > 0; })};
  }
};

inline const foretell::Family<Paxos> kPaxos({
    .name = "decree",
    .text = "Single-decree Paxos on three nodes, one of which may crash.",
    .bugs = {{"ignores-accepted", "Proposers do not ask what was accepted.",
              &Paxos::ignores_accepted}},
    .parameters = {{"proposers", "how many nodes propose", &Paxos::proposers, 1, 3}},
});
FORETELL_PLUGIN(kPaxos)
