// Node states that the local model checker makes up, with assertions and invariants in them.

#include <gtest/gtest.h>

#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::lmc {
namespace {

using model::Budget;
using model::NodeId;
using model::Outcome;
using model::Report;

// `flag` of a Reply is that of node 1 when it answered question number `n`.
struct Talk {
  uint32_t n = 0;
  bool flag = false;
  FORETELL_FIELDS(n, flag)
};

// Node 0 asks twice, the second time after the first answer. Node 1 may raise a flag once, and
// answers with it. Seeing it raised and then not is impossible, unless node 1 `lowers` it. A local
// model checker sees it all the same: it lets node 1 answer the second question first.
struct FlagProtocol {
  struct State {
    uint32_t asked = 0;
    uint32_t answered = 0;
    bool flag = false;
    bool lowered = false;
    bool fell = false;
    FORETELL_FIELDS(asked, answered, flag, lowered, fell)
  };
  using Message = Talk;
  using Action = Talk;
  bool lowers = false;
  bool asserts = true;  // Else it is left to the invariant.

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0)) {
      return state.asked < 2 && state.asked == state.answered ? std::vector<Action>{{}}
                                                              : std::vector<Action>{};
    }
    if (!state.flag && !state.lowered) return {{1, true}};
    return state.flag && lowers ? std::vector<Action>{{1, false}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    if (context.self() == NodeId(0)) {
      context.Send(NodeId(1), {++state.asked});
    } else {
      state.flag = action.flag;
      state.lowered = !action.flag;
    }
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (context.self() == NodeId(1)) return context.Send(from, {message.n, state.flag});
    if (asserts) context.Require(message.flag || !state.flag, "the flag fell");
    state.fell = state.flag && !message.flag;
    state.flag = message.flag;
    state.answered = message.n;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "no-fall", .text = "The flag never falls."},
        [](NodeId, const State& s) { return s.fell ? std::optional(true) : std::nullopt; },
        [](bool) { return true; })};
  }
};

Report Explore(const FlagProtocol& protocol, const LmcOptions& options) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  Budget budget({.steps_max = 100'000}, [] { return Budget::Time{}; });
  auto report = MakeLmcExplorer(*service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(budget.spent());
  for (const model::Violation& violation : report->violations) {
    EXPECT_TRUE(model::Confirm(*service, start, violation.invariant, violation.path).ok());
  }
  return *std::move(report);
}

TEST(AssertionsTest, DiscardedOnesAreNotedAndLeaveTheCheckIncomplete) {
  const Report report = Explore({}, {.assertions = Assertions::kDiscard});
  EXPECT_TRUE(report.violations.empty());
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0].find("Discarded 1 node state that breaks"), 0u) << report.notes[0];
}

TEST(AssertionsTest, VerifyingStaysSilentAboutImpossibleOnes) {
  const Report report = Explore({}, {.assertions = Assertions::kVerify});
  EXPECT_EQ(report.outcome, Outcome::kNone);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_GE(*report.stats.soundness_checks, 1u);
  EXPECT_EQ(report.stats.soundness_rejections, report.stats.soundness_checks);
}

TEST(AssertionsTest, VerifyingReportsRealOnes) {
  for (const Combine combine : {Combine::kByProjection, Combine::kAll}) {
    const Report report = Explore({.lowers = true}, {{}, combine, Assertions::kVerify});
    ASSERT_EQ(report.outcome, Outcome::kViolation);
    EXPECT_EQ(report.violations[0].invariant, model::kLocalAssertions);
    EXPECT_EQ(report.violations[0].text, "node 0: the flag fell");
    // Ask, raise, answer, hear; lower, ask, answer, hear.
    EXPECT_EQ(report.violations[0].path.size(), 8u);
  }
}

TEST(AssertionsTest, AnImpossibleViolationIsRejectedAndTheCheckComplete) {
  for (const Combine combine : {Combine::kByProjection, Combine::kAll}) {
    const Report report = Explore({.asserts = false}, {.combine = combine});
    EXPECT_EQ(report.outcome, Outcome::kNone);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.stats.soundness_checks, report.stats.soundness_rejections);
    EXPECT_GE(*report.stats.soundness_checks, 1u);
  }
}

TEST(AssertionsTest, ARealViolationIsFoundWhereTheImpossibleOneWas) {
  const Report report = Explore({.lowers = true, .asserts = false}, {});
  ASSERT_EQ(report.outcome, Outcome::kViolation);
  EXPECT_EQ(report.violations[0].path.size(), 8u);
}

// A depth bound can leave a question open. The answer is then "not complete", not another round.
TEST(AssertionsTest, ADepthBoundEndsTheCheckAndIsNotComplete) {
  LmcOptions options;
  options.depth_max = 2;
  const Report report = Explore({.lowers = true, .asserts = false}, options);
  EXPECT_TRUE(report.violations.empty());
  EXPECT_FALSE(report.complete);
}

}  // namespace
}  // namespace foretell::lmc
