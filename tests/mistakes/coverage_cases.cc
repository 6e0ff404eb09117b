#include "foretell/tests/mistakes/run_case.h"
#include "foretell/tests/mistakes/ticker.h"

namespace foretell::mistakes {
namespace {

struct NobodyContributes : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {AtMostOne("one-alarm", "No two nodes are alarmed.", &State::alarmed)};
  }
};

struct NoInvariant : Ticker {
  foretell::Invariants<State> Invariants() const { return {}; }
};

struct OnlyEventually : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Eventually("quiet", "In the end nobody is alarmed.",
                       [](const State& s) { return !s.alarmed; })};
  }
};

struct NeverCrashes : Ticker {
  State OnCrash(NodeId, const State& state) const { return state; }
  void OnRestart(State& state, Context<Message>&) const { state.alarmed = true; }
};

struct NobodyKnows : Ticker {
  State OnKrash(NodeId, const State& state) const { return state; }
  void OnRestart(State&, Context<Message>&) const {}
  foretell::FaultBudget faults(NodeId) const { return {.crashes_max = 1}; }
};

struct NeverBreaks : Ticker {
  void OnBreak(State& state, NodeId, Context<Message>&) const { state.alarmed = true; }
};

struct SameName : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.", &State::alarmed),
            Always("calm", "All are quiet.", [](const State& s) { return !s.alarmed; })};
  }
};

struct GoalMissed : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.", &State::alarmed),
            Reaches("all-told", "Node 1 hears of four ticks.",
                    [](const State& s) { return s.ticks > kTicks; })};
  }
};

struct Reset {};
struct NeverEnabled : Ticker {
  using Action = std::variant<Tick, Reset>;
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node != NodeId(0) || state.ticks == kTicks) return {};
    return {Tick{}};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    if (std::holds_alternative<Tick>(action)) return Ticker::OnAction(state, {}, context);
    state.ticks = 0;
  }
};

struct Pong {};
struct NeverSent : Ticker {
  using Message = std::variant<Ping, Pong>;
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.ticks;
    context.Send(NodeId(1), Ping{});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    state.alarmed = false;
  }
};

struct Idle : Ticker {
  static constexpr uint32_t kNodes = 3;
};

struct Nothing : Ticker {
  std::vector<Action> Actions(NodeId, const State&) const { return {}; }
};

struct Endless : Ticker {
  std::vector<Action> Actions(NodeId node, const State&) const {
    return node == NodeId(0) ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>&) const { ++state.ticks; }
};

struct Piling : Ticker {
  void OnAction(State&, const Action&, Context<Message>& context) const {
    context.Send(NodeId(1), {});
  }
};

// One token goes to and fro: nobody ever sees two, and yet who holds it lets it go.
struct Token {
  struct State {
    bool holds = false;
    uint32_t passed = 0;
    FORETELL_FIELDS(holds, passed)
  };
  using Message = Ping;
  struct Pass {};
  using Action = Pass;
  static constexpr uint32_t kNodes = 2;
  State Initial(NodeId node) const { return {.holds = node == NodeId(0)}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    return state.holds && state.passed < 3 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    state.holds = false;
    ++state.passed;
    context.Send(NodeId(1 - context.self().value()), {});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    state.holds = true;
  }
  foretell::Invariants<State> Invariants() const {
    return {Stable(AtMostOne("one-holder", "No two nodes hold the token.", &State::holds))};
  }
};

// Nothing has a kName.
enum class Urgency { kLow, kVeryHigh };
struct Alarm {
  Urgency urgency = Urgency::kLow;
  FORETELL_FIELDS(urgency)
};
struct Unnamed : Ticker {
  using Message = Alarm;
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.ticks;
    context.Send(NodeId(1), {Urgency::kVeryHigh});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    state.alarmed = true;
  }
};

template <class P>
std::string Checked(const std::string& engine) {
  return TextOf(FamilyOf(P()), engine, {.steps = 20'000});
}

}  // namespace

std::vector<RunCase> CoverageCases() {
  const std::vector<std::string> whole = {"global", "por", "lmc"};
  return {
      {"NobodyContributes", "An invariant of something that no node ever does.",
       "No node ever contributes to one-alarm.", kCovered, Checked<NobodyContributes>, whole},
      {"NoInvariant", "`Invariants` without any.",
       "No invariant was checked: there is none, or none but what must hold eventually.", kCovered,
       Checked<NoInvariant>, whole},
      {"OnlyEventually", "`Eventually`.", "Not checked, because it must hold eventually: quiet.",
       kCovered, Checked<OnlyEventually>, whole},
      {"NeverCrashes", "`OnCrash` and `OnRestart`, and nobody who may crash.",
       "OnCrash and OnRestart never run: no crash is allowed (faults, or --crashes 1).", kCovered,
       Checked<NeverCrashes>, whole},
      {"NobodyKnows", "`OnKrash`, which is in no list of wrong names, where nodes may crash.",
       "There is no OnCrash: the default ran.", kCovered, Checked<NobodyKnows>, whole},
      {"NeverBreaks", "`OnBreak` where messages are datagrams.",
       "OnBreak never runs: there are no streams (network).", kCovered, Checked<NeverBreaks>,
       whole},
      {"SameName", "Two invariants of one name.", "two invariants are called calm", "",
       Checked<SameName>, whole},
      {"WrongStable", "`Stable` around an invariant that can hold again.",
       "`stable` of one-holder cannot be relied on: action Pass() at node ", "", Checked<Token>,
       EveryEngine()},
      {"GoalMissed", "A goal that no run gets to.", "Goals never reached: all-told.", kCovered,
       Checked<GoalMissed>, whole},
      {"NeverEnabled", "An action that `Actions` never offers.", "Never: Reset.", kCovered,
       Checked<NeverEnabled>, whole},
      {"NeverSent", "A message that nobody sends.", "Never: Pong (nobody sends it).", kCovered,
       Checked<NeverSent>, whole},
      {"Idle", "A node to which nothing ever happens.", "No handler ever ran at node 2.", kCovered,
       Checked<Idle>, whole},
      {"NothingHappens", "`Actions` that offers nothing, and nothing in flight.",
       "No handler ever ran: the start is all there is.", kCovered, Checked<Nothing>, whole},
      {"TinySpace",
       "A start from which hardly anything follows.",
       "A space of 1 state says little: is the start as it should be, and does Actions offer what "
       "can happen?",
       kCovered,
       Checked<Nothing>,
       {"global"}},
      {"Endless", "A counter that nothing bounds.", "node 0: `ticks` kept growing (..., ",
       kNotComplete, Checked<Endless>, whole},
      {"Piling",
       "An action that sends, changes nothing and stays possible.",
       "action Tick() at node 0 sends, changes nothing and stays possible: its messages pile up "
       "without end.",
       kNotComplete,
       Checked<Piling>,
       {"global"}},
      {"Unnamed",
       "Structs and enumerators without names of their own.",
       "2. deliver Alarm(urgency=very-high) from node 0 at node 1",
       kViolated,
       Checked<Unnamed>,
       {"global"}},
  };
}

}  // namespace foretell::mistakes
