#include "foretell/search/naive_liveness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"

namespace foretell::search {
namespace {

using model::Context;
using model::NodeId;

// Node 0 is called and asks node 1, which answers. What can go wrong is up to the members.
struct AskProtocol {
  struct State {
    bool asked = false;
    bool answered = false;
    bool deaf = false;
    FORETELL_FIELDS(asked, answered, deaf)
  };
  struct Question {};
  struct Answer {};
  struct Call {};
  struct Retry {};
  struct GoDeaf {};
  struct Recover {};
  using Message = std::variant<Question, Answer>;
  using Action = std::variant<Call, Retry, GoDeaf, Recover>;

  bool retries = false;
  bool goes_deaf = false;  // Node 1, without being a fault; and recovers, on which none may count.
  bool shrugs = false;     // Node 1 may stay silent by a choice of weight 0.
  bool fails = false;      // Node 1 breaks an assertion instead of answering.
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return 2; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = node == NodeId(0) ? crashes_max : uint8_t{0}};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    std::vector<Action> actions;
    if (node == NodeId(0)) {
      if (!state.asked) actions.push_back(Call{});
      if (retries && state.asked && !state.answered) actions.push_back(Retry{});
    } else if (goes_deaf) {
      actions.push_back(state.deaf ? Action(Recover{}) : Action(GoDeaf{}));
    }
    return actions;
  }
  model::ActionTiming Timing(const Action& action) const {
    using Origin = model::ActionTiming::Origin;
    if (std::holds_alternative<Call>(action)) return {.origin = Origin::kCall};
    return {.origin = Origin::kTimer, .adverse = !std::holds_alternative<Retry>(action)};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    if (std::holds_alternative<GoDeaf>(action)) {
      state.deaf = true;
    } else if (std::holds_alternative<Recover>(action)) {
      state.deaf = false;
    } else {
      state.asked = true;
      context.Send(NodeId(1), Question{});
    }
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    context.Require(!fails, "failed");
    if (std::holds_alternative<Answer>(message)) state.answered = true;
    if (!std::holds_alternative<Question>(message) || state.deaf) return;
    constexpr std::array<uint32_t, 2> kWeights = {1, 0};
    if (!shrugs || context.Choose(kWeights) == 0) context.Send(from, Answer{});
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually(
        "answered", "Node 0 gets an answer.",
        [](NodeId node, const State& state) { return node == NodeId(1) || state.answered; })};
  }
};

NaiveLivenessResult Judge(const AskProtocol& protocol, NaiveLivenessOptions options = {}) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  NaiveLivenessResult result = NaiveLiveness(*service, start, 0, options);
  for (const model::CriticalKind& kind : result.kinds) {
    EXPECT_TRUE(model::Replay(*service, start, kind.path).ok()) << kind.event;
  }
  return result;
}

// Called, asked, answered; all that is needed can be counted on.
TEST(NaiveLivenessTest, NothingIsDeadWhereEverythingHelps) {
  const NaiveLivenessResult result = Judge({.retries = true}, {.copies_max = 1});
  EXPECT_TRUE(result.finished);
  EXPECT_FALSE(result.start_dead);
  // Before the call; then a question, an answer or both are in flight; then either or none.
  EXPECT_EQ(result.states, 7u);
  EXPECT_EQ(result.live, 3u);
  EXPECT_TRUE(result.dead.empty());
  EXPECT_TRUE(result.kinds.empty());
  EXPECT_EQ(result.system_states, 3u);
  EXPECT_TRUE(result.dead_by_loss.empty());
}

TEST(NaiveLivenessTest, WhoNeverAsksAgainIsDeadByLossAlone) {
  const NaiveLivenessResult result = Judge({});
  EXPECT_TRUE(result.finished);
  EXPECT_TRUE(result.dead.empty());
  ASSERT_EQ(result.dead_by_loss.size(), 1u);
  EXPECT_TRUE(result.dead_by_loss.begin()->in_flight.empty());
  EXPECT_EQ(result.to_dead_by_loss.size(), 1u);
}

TEST(NaiveLivenessTest, CallsCountOnlyIfTheyAreCountedOn) {
  const NaiveLivenessResult result = Judge({}, {.count_on = model::CountOn::kHelpful});
  EXPECT_TRUE(result.start_dead);
  EXPECT_EQ(result.dead.size(), 1u);
  EXPECT_TRUE(result.kinds.empty());  // The way out of death is no way into it.
}

// To go deaf can happen and to recover can happen, and neither can be counted on.
TEST(NaiveLivenessTest, AdverseActionsKillAndDoNotHeal) {
  const NaiveLivenessResult result = Judge({.retries = true, .goes_deaf = true}, {.copies_max = 1});
  EXPECT_TRUE(result.finished);
  EXPECT_FALSE(result.dead.empty());
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_EQ(result.kinds[0].event, "action GoDeaf");
  EXPECT_EQ(result.kinds[0].node, NodeId(1));
  EXPECT_EQ(result.kinds[0].path.size(), 1u);
  for (const model::SystemCut& cut : result.dead) {
    EXPECT_TRUE(result.dead_by_loss.contains({cut.nodes, {}}));
  }
}

TEST(NaiveLivenessTest, AnOutcomeOfWeightZeroIsAdverse) {
  const NaiveLivenessResult result = Judge({.shrugs = true});
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_EQ(result.kinds[0].event, "deliver Question");
  EXPECT_EQ(result.kinds[0].transitions, 1u);
  EXPECT_EQ(result.kinds[0].path.size(), 2u);
  EXPECT_EQ(result.kinds[0].path[1].choices, (std::vector<uint32_t>{1}));
}

TEST(NaiveLivenessTest, FailedNodesAreNeverLive) {
  const NaiveLivenessResult result = Judge({.fails = true}, {.count_on = model::CountOn::kCalls});
  EXPECT_TRUE(result.start_dead);
  EXPECT_EQ(result.live, 0u);
}

// A crash forgets that somebody asked: it heals, and is not counted on. A restart is.
TEST(NaiveLivenessTest, ACrashIsNoHelpAndARestartIs) {
  const NaiveLivenessResult result = Judge({.shrugs = true, .crashes_max = 1});
  ASSERT_EQ(result.kinds.size(), 1u);
  EXPECT_GT(result.kinds[0].transitions, 1u);  // Also after the crash.
  EXPECT_TRUE(std::any_of(
      result.dead_by_loss.begin(), result.dead_by_loss.end(),
      [](const auto& cut) { return cut.nodes[0].faults[model::FaultKind::kCrash] == 0; }));
  for (const model::SystemCut& cut : result.dead) {
    EXPECT_NE(cut.nodes[0].status, model::NodeStatus::kDown);
  }
}

TEST(NaiveLivenessTest, CopiesBeyondTheCapAreLostAndCounted) {
  const NaiveLivenessResult one = Judge({.retries = true}, {.copies_max = 1});
  const NaiveLivenessResult two = Judge({.retries = true}, {.copies_max = 2});
  EXPECT_GT(one.capped, 0u);
  EXPECT_GT(two.states, one.states);
  EXPECT_FALSE(Judge({.retries = true}, {.states_max = 1'000}).finished);
}

// What a limit cuts off counts as alive.
TEST(NaiveLivenessTest, ALimitMakesNothingDead) {
  const NaiveLivenessResult all = Judge({.goes_deaf = true});
  ASSERT_TRUE(all.finished);
  for (uint64_t limit = 1; limit < all.states; ++limit) {
    const NaiveLivenessResult some = Judge({.goes_deaf = true}, {.states_max = limit});
    EXPECT_FALSE(some.finished);
    for (const model::SystemCut& cut : some.dead) EXPECT_TRUE(all.dead.contains(cut));
  }
}

}  // namespace
}  // namespace foretell::search
