#include <random>
#include <stdexcept>

#include "foretell/predictors/engines.h"
#include "foretell/tests/mistakes/run_case.h"
#include "foretell/tests/mistakes/ticker.h"

namespace foretell::mistakes {
namespace {

struct Throws : Ticker {
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {
    throw std::out_of_range("no entry for node 0");
  }
};

struct SendsToNobody : Ticker {
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.ticks;
    context.Send(NodeId(kNodes), {});
  }
};

struct ChoosesAmongNothing : Ticker {
  void OnMessage(State& state, NodeId, const Message&, Context<Message>& context) const {
    state.ticks = context.Choose(0);
  }
};

struct DrawsUntilItFits : Ticker {
  void OnMessage(State& state, NodeId, const Message&, Context<Message>& context) const {
    while (context.Choose(6) != 5) ++state.ticks;
  }
};

struct ActionsThrow : Ticker {
  std::vector<Action> Actions(NodeId, const State&) const { throw std::out_of_range("no plan"); }
};

struct InvariantThrows : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.",
                  [](const State&) -> bool { throw std::out_of_range("no alarm"); })};
  }
};

// Depends on what is no part of its state: now and then it forgets.
struct Fickle : Ticker {
  uint32_t (*source)() = nullptr;
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    state.ticks = source() % 2 == 0 ? 0 : 1;
  }
};
uint32_t calls = 0;
uint32_t Counted() { return ++calls; }
// A clock that is the same on every machine.
uint32_t Now() { return ++calls * 1'000'003 / 7; }
uint32_t Random() {
  static std::minstd_rand random;
  if (++calls == 1) random.seed(1);
  return static_cast<uint32_t>(random() >> 8);
}

struct ActsAtWhim : Ticker {
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return Counted() % 2 == 0 ? std::vector<Action>{} : Ticker::Actions(node, state);
  }
};

// An answer that was true once, and one that is true every other time.
struct LooksOnce : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.", [](const State&) { return Counted() == 3; })};
  }
};
struct LooksTwice : Ticker {
  foretell::Invariants<State> Invariants() const {
    return {Never("calm", "Nobody is alarmed.", [](const State&) { return Counted() % 2 == 0; })};
  }
};

struct BeginsAnyhow : Ticker {
  State Initial(NodeId) const { return {.ticks = Counted() % 3}; }
};

// Node 1 is alarmed by the second message, which it knows from a member that it does not list.
struct Forgetful {
  struct State {
    uint32_t ticks = 0;
    uint32_t messages = 0;  // Not in Fields.
    template <class V>
    void Fields(V& v) {
      v("ticks", ticks);
    }
  };
  using Message = Ping;
  using Action = Tick;
  static constexpr uint32_t kNodes = 2;
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node != NodeId(0) || state.ticks == 3) return {};
    return {{}};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    ++state.ticks;
    context.Send(NodeId(1), {});
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>&) const {
    if (++state.messages == 2) state.ticks = 9;
  }
  foretell::Invariants<State> Invariants() const {
    return {Never("low", "Nobody gets to nine.", [](const State& s) { return s.ticks == 9; })};
  }
};

template <class P>
std::function<std::string(const std::string&)> Checked(P protocol = {}) {
  return [protocol](const std::string& engine) {
    calls = 0;
    return TextOf(FamilyOf(protocol), engine);
  };
}

Fickle FickleBy(uint32_t (*source)()) {
  Fickle fickle;
  fickle.source = source;
  return fickle;
}

}  // namespace

std::vector<RunCase> HandlerCases() {
  const std::string outside =
      "it depends on something else: a static or shared variable, a clock, a random source, memory "
      "that was never set, or the order of an unordered container";
  return {
      {"Throws", "A handler that throws.",
       "local-assertions: node 1: exception: no entry for node 0", kViolated, Checked<Throws>(),
       EveryEngine()},
      {"SendsToNobody", "A message to a node that is not there.",
       "local-assertions: node 0: sends to a node that does not exist", kViolated,
       Checked<SendsToNobody>(), EveryEngine()},
      {"ChoosesAmongNothing", "`context.Choose(0)`.",
       "local-assertions: node 1: chooses among nothing", kViolated, Checked<ChoosesAmongNothing>(),
       EveryEngine()},
      {"DrawsUntilItFits",
       "A handler that draws until it likes what it gets.",
       "local-assertions: node 1: exception: makes more choices than a checker can try",
       kViolated,
       Checked<DrawsUntilItFits>(),
       {"global"}},
      {"ActionsThrow", "`Actions` that throws.", "the service threw outside of a handler: no plan",
       "", Checked<ActionsThrow>(), EveryEngine()},
      {"InvariantThrows", "An invariant that throws.",
       "the service threw outside of a handler: no alarm", "", Checked<InvariantThrows>(),
       EveryEngine()},
      {"Static", "A handler that reads a static variable.", outside, kFickle,
       Checked(FickleBy(Counted)), EveryEngine()},
      {"Clock", "A handler that asks what time it is.", outside, kFickle, Checked(FickleBy(Now)),
       EveryEngine()},
      {"Random", "A handler that calls `rand`.", outside, kFickle, Checked(FickleBy(Random)),
       EveryEngine()},
      {"ActsAtWhim", "`Actions` that reads a static variable.",
       "the same state enabled different actions", kFickle, Checked<ActsAtWhim>(), EveryEngine()},
      {"LooksOnce",
       "An invariant that reads a static variable.",
       "invariant calm: the same state of node ",
       kFickle,
       Checked<LooksOnce>(),
       {"portfolio", "global", "por", "lmc", "lmc-gen", "consequence", "cover"}},
      {"LooksTwice", "An invariant whose answer changes each time.",
       "invariant calm: the same state of node ", kFickle, Checked<LooksTwice>(), EveryEngine()},
      {"BeginsAnyhow", "`Initial` that calls `rand`.",
       "the initial state of node 0 is not always the same", kFickle, Checked<BeginsAnyhow>(),
       EveryEngine()},
      {"Forgetful", "A member that `Fields`, written by hand, leaves out.",
       "what happens next depends on state that the encoding leaves out (a member missing in "
       "Fields?)",
       kFickle, Checked<Forgetful>(), EveryEngine()},
  };
}

}  // namespace foretell::mistakes
