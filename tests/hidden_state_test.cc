// Services that are correct as live objects and wrong once they are encoded, or the other way
// round: a member of the state is missing in Fields. And services that change their mind now and
// then. No engine may call them violated or covered.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "foretell/model/typed/service.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::NodeId;

class HiddenStateTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Engine, HiddenStateTest,
                         testing::Values("global", "por", "lmc", "lmc-gen", "consequence", "dir",
                                         "portfolio"));

void ExpectAccused(const model::Report& report, const std::string& of) {
  EXPECT_EQ(report.outcome, model::Outcome::kNondeterminism);
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.violations.empty());
  ASSERT_FALSE(report.notes.empty());
  EXPECT_NE(report.notes.back().find("Not deterministic: "), std::string::npos)
      << report.notes.back();
  EXPECT_NE(report.notes.back().find(of), std::string::npos) << report.notes.back();
}

enum class Reading {
  kSaves,   // What is forgotten keeps a live node from doing wrong.
  kRuins,   // What is forgotten makes a live node do wrong.
  kNobody,  // Nobody reads it.
};

struct Letter {
  static constexpr const char* kName = "Letter";
  uint32_t number = 0;
  template <class V>
  void Fields(V& v) {
    v("number", number);
  }
};

// Node 0 sends letter 0; each letter below `last` is answered, and the answer by the next one. The
// first arms node 1, and the last sees whether it is armed.
struct ForgetfulProtocol {
  struct State {
    uint32_t seen = 0;  // Letters.
    bool begun = false;
    bool bad = false;
    bool armed = false;  // Not in Fields.
    template <class V>
    void Fields(V& v) {
      v("seen", seen);
      v("begun", begun);
      v("bad", bad);
    }
  };
  using Message = Letter;
  struct Action {
    static constexpr const char* kName = "Begin";
    template <class V>
    void Fields(V&) {}
  };
  Reading reading = Reading::kSaves;
  uint32_t last = 1;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) && !state.begun ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.begun = true;
    context.Send(NodeId(1), {0});
  }
  void OnMessage(State& state, NodeId from, const Message& letter,
                 model::Context<Message>& context) const {
    if (context.self() == NodeId(0)) return context.Send(from, {letter.number + 1});
    state.seen |= 1u << letter.number;
    if (letter.number == 0) state.armed = true;
    if (letter.number < last) context.Send(from, letter);
    if (letter.number != last || reading == Reading::kNobody) return;
    state.bad = state.armed == (reading == Reading::kRuins);
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "not-bad", .text = "Nothing bad happens."},
        [](NodeId, const State& s) { return std::optional(s.bad); }, [](bool bad) { return bad; })};
  }
};

model::Report Check(Reading reading, uint32_t last, const std::string& engine) {
  const auto service = model::MakeService(ForgetfulProtocol{reading, last});
  return Explore(*service, model::InitialCut(*service), engine);
}

TEST_P(HiddenStateTest, AForgottenMemberThatNobodyReadsIsFine) {
  const model::Report report = Check(Reading::kNobody, 3, GetParam());
  EXPECT_EQ(report.outcome, GetParam() == std::string("consequence") && !report.complete
                                ? model::Outcome::kBudget
                                : model::Outcome::kNone);
}

TEST_P(HiddenStateTest, ACorrectLiveServiceIsNotCalledViolated) {
  for (uint32_t last = 1; last < 6; ++last) {
    ExpectAccused(Check(Reading::kSaves, last, GetParam()), "a member missing in Fields?");
  }
}

TEST_P(HiddenStateTest, AnIncorrectLiveServiceIsNotCalledCovered) {
  for (uint32_t last = 1; last < 6; ++last) {
    ExpectAccused(Check(Reading::kRuins, last, GetParam()), "a member missing in Fields?");
  }
}

enum class Whim { kNone, kBad, kSilent, kForgets, kRandom, kClock };

// Node 0 sends ten letters, node 1 notes which came, and answers the last. Now and then it has a
// whim.
struct FickleProtocol {
  struct State {
    uint32_t seen = 0;
    bool bad = false;
    template <class V>
    void Fields(V& v) {
      v("seen", seen);
      v("bad", bad);
    }
  };
  using Message = Letter;
  using Action = Letter;
  static constexpr uint32_t kLetters = 10;
  Whim whim = Whim::kNone;
  uint32_t period = 1;
  mutable uint32_t runs = 0;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) && state.seen < kLetters ? std::vector<Action>{{state.seen}}
                                                      : std::vector<Action>{};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    ++state.seen;
    context.Send(NodeId(1), {action.number});
  }
  void OnMessage(State& state, NodeId, const Message& letter,
                 model::Context<Message>& context) const {
    if (context.self() == NodeId(0)) return;
    const bool now = ++runs % period == 0;
    state.seen |= 1u << letter.number;
    if (letter.number + 1 == kLetters && !(now && whim == Whim::kSilent)) {
      context.Send(NodeId(0), letter);
    }
    if (now && whim == Whim::kBad) state.bad = true;
    if (now && whim == Whim::kForgets) state.seen = 0;
    if (whim == Whim::kRandom && std::rand() % 2 == 0) state.bad = true;
    if (whim == Whim::kClock &&
        std::chrono::steady_clock::now().time_since_epoch().count() % 2 == 0) {
      state.bad = true;
    }
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "not-bad", .text = "Nothing bad happens."},
        [](NodeId, const State& s) { return std::optional(s.bad); }, [](bool bad) { return bad; })};
  }
};

model::Report CheckFickle(Whim whim, uint32_t period, const std::string& engine) {
  const auto service = model::MakeService(FickleProtocol{whim, period});
  return Explore(*service, model::InitialCut(*service), engine, {}, 100'000);
}

TEST_P(HiddenStateTest, AServiceWithoutWhimsIsNotAccused) {
  EXPECT_NE(CheckFickle(Whim::kNone, 1, GetParam()).outcome, model::Outcome::kNondeterminism);
}

TEST_P(HiddenStateTest, AStaticThatMattersNowAndThenIsNamed) {
  for (const Whim whim : {Whim::kBad, Whim::kSilent, Whim::kForgets}) {
    for (const uint32_t period : {2, 3, 7, 64, 97, 500, 1000}) {
      SCOPED_TRACE(testing::Message() << "whim " << static_cast<int>(whim) << ", every " << period);
      ExpectAccused(CheckFickle(whim, period, GetParam()), "a static or shared variable, a clock");
    }
  }
}

TEST_P(HiddenStateTest, ChanceAndClocksAreNamed) {
  ExpectAccused(CheckFickle(Whim::kRandom, 1, GetParam()), "a random source");
  ExpectAccused(CheckFickle(Whim::kClock, 1, GetParam()), "a clock");
}

}  // namespace
}  // namespace foretell::tests
