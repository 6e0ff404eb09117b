// Two-phase commit: a coordinator, node 0, asks participants to vote and tells them what became of
// it. A participant that has voted yes is in doubt until it hears. The coordinator may crash.

#include "foretell/service.h"

namespace {

using foretell::NodeId;

enum class Fate : uint8_t { kOpen, kCommitted, kAborted };

struct Commit {
  struct State {
    bool began = false;         // Coordinator.
    std::set<NodeId> said_yes;  // Coordinator, in memory.
    bool in_doubt = false;      // Participant: voted yes, and has not heard yet.
    Fate fate = Fate::kOpen;    // On disk, at all nodes.
    FORETELL_FIELDS(began, said_yes, in_doubt, fate)
  };

  struct Prepare {};
  struct Vote {
    bool yes = false;
    FORETELL_FIELDS(yes)
  };
  struct Decide {
    Fate fate = Fate::kOpen;
    FORETELL_FIELDS(fate)
  };
  using Message = std::variant<Prepare, Vote, Decide>;

  struct Begin {};
  struct VoteTimeout {};  // The coordinator waits no longer for votes.
  using Action = std::variant<Begin, VoteTimeout>;
  using Context = foretell::Context<Message>;
  static constexpr NodeId kCoordinator{0};

  uint32_t participants = 2;
  bool forgets_decision = false;  // The bug: the decision is told before it is on disk.

  uint32_t node_count() const { return 1 + participants; }
  std::string Role(NodeId node) const {
    return node == kCoordinator ? "coordinator" : "participant";
  }
  foretell::FaultBudget faults(NodeId node) const { return {.crashes_max = node == kCoordinator}; }

  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node != kCoordinator || state.fate != Fate::kOpen) return {};
    if (!state.began) return {Begin{}};
    return {VoteTimeout{}};
  }
  void OnAction(State& state, const Action& action, Context& context) const {
    if (std::holds_alternative<VoteTimeout>(action)) return End(state, Fate::kAborted, context);
    state.began = true;
    Tell(Prepare{}, context);
  }
  void OnMessage(State& state, NodeId from, const Message& message, Context& context) const {
    if (std::holds_alternative<Prepare>(message)) return OnPrepare(state, context);
    if (const auto* decide = std::get_if<Decide>(&message)) {
      state.in_doubt = false;
      state.fate = decide->fate;
      return;
    }
    if (state.fate != Fate::kOpen) return;
    if (!std::get<Vote>(message).yes) return End(state, Fate::kAborted, context);
    state.said_yes.insert(from);
    if (state.said_yes.size() == participants) End(state, Fate::kCommitted, context);
  }
  State OnCrash(NodeId, const State& state) const {
    State kept;
    kept.began = state.began;
    if (!forgets_decision) kept.fate = state.fate;
    return kept;
  }
  // Whoever has decided says it again; who has not aborts, as its votes are gone.
  void OnRestart(State& state, Context& context) const {
    if (state.began) End(state, state.fate == Fate::kOpen ? Fate::kAborted : state.fate, context);
  }

  foretell::Invariants<State> Invariants() const {
    const auto fate = [](const State& state) {
      return state.fate == Fate::kOpen ? std::nullopt : std::optional(state.fate);
    };
    return {foretell::Agreement("atomic", "No node commits what another aborts.", fate),
            foretell::Reaches("commits", "Some transaction commits.",
                              [](const State& state) { return state.fate == Fate::kCommitted; })};
  }

 private:
  void OnPrepare(State& state, Context& context) const {
    if (state.in_doubt || state.fate != Fate::kOpen) return;
    state.in_doubt = context.Choose({"yes", "no"}) == 0;
    if (!state.in_doubt) state.fate = Fate::kAborted;
    context.Send(kCoordinator, Vote{state.in_doubt});
  }
  void End(State& state, Fate fate, Context& context) const {
    state.fate = fate;
    Tell(Decide{fate}, context);
  }
  void Tell(const Message& message, Context& context) const {
    for (uint32_t n = 1; n < node_count(); ++n) context.Send(NodeId(n), message);
  }
};

}  // namespace

FORETELL_PLUGIN(foretell::Family<Commit>({
    .text = "Two-phase commit with a coordinator that may crash.",
    .scenarios = {{"coordinator-crashes", "The coordinator may crash once."}},
    .bugs = {{"forgets-decision", "The coordinator tells its decision before it is on disk.",
              &Commit::forgets_decision}},
    .parameters = {{"participants", "how many there are", &Commit::participants, 1, 4}},
}))
