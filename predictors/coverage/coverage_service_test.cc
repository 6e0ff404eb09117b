#include "foretell/predictors/coverage/coverage_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "foretell/predictors/coverage/explore_covered.h"
#include "foretell/predictors/testing/holder_protocol.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using model::EventKind;
using model::NodeId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MakeHolders;
using testing::MakeToy;
using ::testing::StartsWith;
using testing::Steps;

// Engine global, because it sees nothing that cannot happen.
Engine Global() {
  for (const Engine& engine : SafetyEngines()) {
    if (engine.name == "global") return engine;
  }
  ADD_FAILURE() << "no engine global";
  return {};
}

Coverage CoverageOf(const model::Service& service, const model::SystemCut& start,
                    uint64_t steps = 1'000'000) {
  model::Budget budget = Steps(steps);
  auto covered = ExploreCovered(Global(), {}, service, start, budget);
  EXPECT_TRUE(covered.ok()) << covered.status();
  return covered.ok() ? covered->coverage : Coverage{};
}

Coverage CoverageOf(const model::System& system, uint64_t steps = 1'000'000) {
  return CoverageOf(*system.service, system.start, steps);
}

uint64_t RunsOf(const Coverage& coverage, const std::string& name) {
  for (const HandlerRuns& handler : coverage.handlers) {
    if (handler.name == name) return handler.runs;
  }
  ADD_FAILURE() << "no handler " << name;
  return 0;
}

TEST(CoverageServiceTest, RunsAreCountedByKindAndNode) {
  const model::System toy = MakeToy({.got_max = 2});
  const CoverageService view(*toy.service, toy.start);
  const model::Event give{.kind = EventKind::kAction,
                          .body = view.Actions(NodeId(0), toy.start.nodes[0].body).at(0)};
  const auto result = view.Run(NodeId(0), toy.start.nodes[0].body, std::span(&give, 1), {});
  const Coverage coverage = view.Collect();
  EXPECT_EQ(RunsOf(coverage, "Give"), 1u);
  EXPECT_EQ(RunsOf(coverage, "Token"), 0u);
  EXPECT_EQ(coverage.handlers.at(0).sent, result.sends.size());
  EXPECT_EQ(coverage.nodes.at(0).runs, 1u);
  EXPECT_EQ(coverage.nodes.at(1).runs, 0u);
  EXPECT_EQ(coverage.runs(), 1u);
}

TEST(CoverageServiceTest, AllIsWellInOneLine) {
  const Coverage coverage = CoverageOf(MakeToy({.got_max = 2}));
  EXPECT_TRUE(IsFull(coverage));
  EXPECT_EQ(CoverageText(coverage),
            "Every handler ran: 1 message, 1 action. Not checked, because it must hold eventually: "
            "served.");
}

TEST(CoverageServiceTest, WhatNeverHappensHasNames) {
  const Coverage coverage =
      CoverageOf(MakeHolders({.nodes = 3, .idle = 1, .keeps = true, .blind = true}));
  EXPECT_TRUE(coverage.certain);
  EXPECT_FALSE(IsFull(coverage));
  EXPECT_EQ(CoverageText(coverage),
            "Never: Taken (nobody sends it), Lost (nobody sends it), Release. No handler ever ran "
            "at node 2. No node ever contributes to one-holder. OnCrash never runs: no crash is "
            "allowed (faults, or --crashes 1).");
}

TEST(CoverageServiceTest, WhatWasNotSeenMayStillHappen) {
  const Coverage coverage = CoverageOf(MakeToy({.got_max = 2}), 1);
  EXPECT_FALSE(coverage.certain);
  EXPECT_THAT(CoverageText(coverage), Not(HasSubstr("ever")));
}

TEST(CoverageServiceTest, OnlyFaultsThatBudgetsAllowAreMissed) {
  const model::System none = MakeHolders({.nodes = 1, .stable = false});
  const model::System some = MakeHolders({.nodes = 1, .stable = false, .crashes_max = 1});
  for (const HandlerRuns& handler : CoverageService(*none.service, none.start).Collect().handlers) {
    if (model::FaultOf(handler.kind) || handler.kind == EventKind::kRestart) {
      EXPECT_FALSE(handler.expected) << handler.name;
    }
  }
  const Coverage before = CoverageService(*some.service, some.start).Collect();
  for (const HandlerRuns& handler : before.handlers) {
    const bool possible = handler.kind != EventKind::kBreak;
    EXPECT_EQ(handler.expected, possible) << handler.name;
  }
  model::System spent = MakeHolders({.nodes = 1, .stable = false, .crashes_max = 1});
  spent.start.nodes[0].faults[model::FaultKind::kCrash] = 1;
  for (const HandlerRuns& handler :
       CoverageService(*spent.service, spent.start).Collect().handlers) {
    EXPECT_FALSE(handler.kind == EventKind::kCrash && handler.expected) << "it is used up";
  }
  const Coverage after = CoverageOf(some);
  EXPECT_GT(RunsOf(after, "crash"), 0u);
  EXPECT_GT(RunsOf(after, "restart"), 0u);
}

TEST(CoverageServiceTest, HandlersOfFaultsThatNoBudgetAllowsAreNamed) {
  const auto barred = [](const model::System& system) {
    return CoverageService(*system.service, system.start).Collect().barred;
  };
  EXPECT_THAT(barred(MakeHolders({.nodes = 1})), ElementsAre(HasSubstr("OnCrash never runs")));
  EXPECT_THAT(barred(MakeHolders({.nodes = 1, .crashes_max = 1})), ElementsAre());
}

TEST(CoverageTest, IsBarredOnlyIfItIsInEverySpace) {
  Coverage sum;
  AddCoverage({.nodes = {{}}, .barred = {"a", "b"}}, sum);
  EXPECT_THAT(sum.barred, ElementsAre("a", "b"));
  AddCoverage({.nodes = {{}}, .barred = {"b"}}, sum);
  EXPECT_THAT(sum.barred, ElementsAre("b"));
}

// A service with goals and a role; kinds are not told apart.
class Aimed final : public model::ForwardingService {
 public:
  explicit Aimed(const model::Service& inner) : ForwardingService(inner) {}
  std::span<const model::Named> goals() const override { return goals_; }
  bool Reached(size_t goal, NodeId node, const std::string& state) const override {
    for (const model::Field& field : RenderState(node, state)) {
      if (field.name == "got" && field.value == std::to_string(goal)) return true;
    }
    return false;
  }
  std::string Role(NodeId node) const override { return node.value() == 0 ? "giver" : ""; }
  std::vector<std::string> message_kinds() const override { return {}; }
  std::vector<std::string> action_kinds() const override { return {}; }

 private:
  std::vector<model::Named> goals_ = {{"none", ""}, {"one", ""}, {"two", ""}, {"three", ""}};
};

TEST(CoverageServiceTest, GoalsAreReachedAtTheStartOrLater) {
  const model::System toy = MakeToy({.got_max = 2});
  const Coverage coverage = CoverageOf(Aimed(*toy.service), toy.start);
  std::vector<bool> reached;
  for (const Mark& goal : coverage.goals) reached.push_back(goal.seen);
  EXPECT_THAT(reached, ElementsAre(true, true, true, false));
  EXPECT_THAT(CoverageText(coverage), StartsWith("Goals never reached: three. "));
  EXPECT_EQ(coverage.nodes.at(0).role, "giver");
  EXPECT_GT(RunsOf(coverage, "any message"), 0u);
  EXPECT_GT(RunsOf(coverage, "any action"), 0u);
}

TEST(CoverageServiceTest, AStartThatIsAllThereIsSaysSo) {
  const model::System stuck = MakeHolders({.nodes = 2, .idle = 2});
  model::Budget budget = Steps(1000);
  const auto covered = ExploreCovered(Global(), {}, *stuck.service, stuck.start, budget);
  ASSERT_TRUE(covered.ok());
  EXPECT_THAT(CoverageText(covered->coverage),
              StartsWith("No handler ever ran: the start is all there is. "));
  EXPECT_THAT(CoverageNotes(covered->coverage, covered->report),
              ElementsAre(HasSubstr("says little")));
}

// Asked only by whoever watches: what it throws must not change what is found.
class Throwing final : public model::ForwardingService {
 public:
  using ForwardingService::ForwardingService;
  std::vector<model::Field> RenderState(NodeId, const std::string&) const override {
    throw std::runtime_error("RenderState");
  }
};

TEST(CoverageServiceTest, WhatIsThrownWhileWatchingIsDropped) {
  const model::System toy = MakeToy({.got_max = 2});
  EXPECT_TRUE(CoverageOf(Throwing(*toy.service), toy.start).certain);
}

TEST(CoverageServiceTest, ThreadsMayRunHandlersAtOnce) {
  const model::System holders = MakeHolders();
  const CoverageService view(*holders.service, holders.start);
  const std::string& state = holders.start.nodes[0].body;
  const model::Event take{.kind = EventKind::kAction, .body = view.Actions(NodeId(0), state).at(0)};
  constexpr uint64_t kRuns = 1000;
  const auto work = [&](uint32_t node) {
    for (uint64_t i = 0; i < kRuns; ++i) view.Run(NodeId(node), state, std::span(&take, 1), {});
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(view.Collect().runs(), 2 * kRuns);
}

TEST(CoverageTest, SpacesAreJoined) {
  const model::System idle = MakeHolders({.nodes = 2, .idle = 2, .keeps = true});
  const model::System busy = MakeHolders({.nodes = 2, .idle = 1, .keeps = true});
  Coverage all;
  AddCoverage(CoverageOf(idle), all);
  EXPECT_EQ(all.runs(), 0u);
  AddCoverage(CoverageOf(busy), all);
  EXPECT_TRUE(all.certain);
  EXPECT_GT(RunsOf(all, "Take"), 0u);
  Coverage cut_off = CoverageOf(busy);
  cut_off.certain = false;
  AddCoverage(cut_off, all);
  EXPECT_FALSE(all.certain);
}

}  // namespace
}  // namespace foretell::predictors
