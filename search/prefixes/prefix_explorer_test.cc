#include "foretell/search/prefixes/prefix_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/prefixes/prefix_search.h"
#include "foretell/search/testing/ask_protocol.h"

namespace foretell::search {
namespace {

using model::CutFate;
using model::LivenessVerdict;
using testing::ElementsAre;

// A lamp that can be switched on and off without end, which is counted, until it is broken.
struct Lamp {
  struct State {
    uint32_t switched = 0;
    bool lit = false;
    bool broken = false;
    FORETELL_FIELDS(switched, lit, broken)
  };
  struct Message {};
  struct Switch {};
  struct Break {};
  using Action = std::variant<Switch, Break>;

  uint32_t node_count() const { return 1; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    std::vector<Action> actions = {Switch{}};
    if (state.lit) actions.push_back(Break{});
    return actions;
  }
  model::ActionTiming Timing(const Action& action) const {
    return {.origin = model::ActionTiming::Origin::kTimer,
            .adverse = std::holds_alternative<Break>(action)};
  }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
  void OnAction(State& state, const Action& action, Context<Message>&) const {
    if (state.broken) return;
    ++state.switched;
    state.broken = std::holds_alternative<Break>(action);
    state.lit = !state.lit && !state.broken;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::Eventually("lit", "The lamp is on.",
                              [](NodeId, const State& state) { return state.lit; })};
  }
};

struct Asked {
  std::unique_ptr<model::Service> service =
      model::MakeService(AskProtocol{.retries = true, .goes_deaf = true});
  model::SystemCut start = model::InitialCut(*service);

  // The start after `bodies`, actions of node 0 or, for GoDeaf, of node 1.
  model::SystemCut After(const std::vector<AskProtocol::Action>& actions) const {
    model::PlainSystem plain(*service, start);
    for (const AskProtocol::Action& action : actions) {
      const NodeId node(std::holds_alternative<AskProtocol::GoDeaf>(action) ? 1 : 0);
      EXPECT_TRUE(
          plain
              .Apply({.node = node,
                      .event = {.kind = model::EventKind::kAction, .body = model::Encode(action)}})
              .ok());
    }
    return plain.state();
  }
  model::Report Explore(std::vector<model::SystemCut> cuts) const {
    LiveOptions options;
    options.property = "answered";
    const model::SystemCut last = cuts.back();
    cuts.pop_back();
    options.earlier = std::move(cuts);
    model::Budget budget = model::Budget::Unlimited();
    auto report = MakePrefixExplorer(*service, options)->Explore(last, budget);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : model::Report{};
  }
};

using Call = AskProtocol::Call;
using GoDeaf = AskProtocol::GoDeaf;

TEST(PrefixExplorerTest, TheFirstDeadCutIsReachedFromTheOneBefore) {
  const Asked asked;
  const auto report =
      asked.Explore({asked.start, asked.After({Call{}}), asked.After({Call{}, GoDeaf{}})});
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kDead);
  EXPECT_THAT(report.liveness->cuts,
              ElementsAre(CutFate::kRecovers, CutFate::kRecovers, CutFate::kDead));
  EXPECT_EQ(report.liveness->from, 1u);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].path.size(), 1u);
  EXPECT_TRUE(report.violations[0].death->proof.checked);
  ASSERT_TRUE(report.liveness->interval.has_value());
  EXPECT_STREQ(model::ConditionName(*report.liveness->interval), "C1");
}

TEST(PrefixExplorerTest, CutsThatAreFarApartStillHaveTheirCriticalStep) {
  const Asked asked;
  const auto report = asked.Explore({asked.start, asked.After({GoDeaf{}, Call{}})});
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kDead);
  EXPECT_EQ(report.liveness->from, 0u);
  EXPECT_EQ(report.liveness->interval->dead, report.violations[0].path.size());
  EXPECT_STREQ(model::ConditionName(*report.liveness->interval), "C1");
}

TEST(PrefixExplorerTest, WhereNoWayLeadsTheCutItselfIsTheStart) {
  const Asked asked;
  const auto report = asked.Explore({asked.After({Call{}}), asked.After({GoDeaf{}})});
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kStartDead);
  EXPECT_EQ(report.liveness->from, 1u);
  EXPECT_FALSE(report.liveness->interval.has_value());
  EXPECT_TRUE(report.violations[0].path.empty());
}

TEST(PrefixExplorerTest, WhenNoCutIsDeadTheLastIsGoneOnFrom) {
  const Asked asked;
  const auto report = asked.Explore({asked.start, asked.After({Call{}})});
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kDead);
  EXPECT_THAT(report.liveness->cuts, ElementsAre(CutFate::kRecovers, CutFate::kRecovers));
  EXPECT_EQ(report.liveness->from, 1u);
  EXPECT_EQ(report.liveness->interval->dead, 1u);
}

TEST(PrefixExplorerTest, ACutOfAnotherServiceIsRefused) {
  const Asked asked;
  LiveOptions options;
  options.property = "answered";
  options.earlier = {model::SystemCut{}};
  model::Budget budget = model::Budget::Unlimited();
  EXPECT_EQ(
      MakePrefixExplorer(*asked.service, options)->Explore(asked.start, budget).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(PrefixSearchTest, DeathIsFoundFromExecutionsThatAreLive) {
  const auto service = model::MakeService(Lamp{});
  LiveOptions options;
  options.property = "lit";
  std::vector<size_t> lengths;
  for (int again = 0; again < 2; ++again) {
    PrefixSearch prefixes(*service, 0, options);
    model::Budget budget({.steps_max = 100'000}, [] { return model::Budget::Time{}; });
    const auto found = prefixes.FromLiveExecutions(model::InitialCut(*service), budget);
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ(prefixes.executions(), 1u);
    EXPECT_TRUE((*found)->violation.death->proof.checked);
    EXPECT_EQ((*found)->interval->dead, (*found)->violation.path.size());
    EXPECT_STREQ(model::ConditionName(*(*found)->interval), "C1");
    lengths.push_back((*found)->violation.path.size());
  }
  EXPECT_EQ(lengths[0], lengths[1]) << "the same seed finds the same";
}

}  // namespace
}  // namespace foretell::search
