#include "foretell/predictors/race.h"

#include <gtest/gtest.h>

#include <atomic>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/predictors/engines.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::NodeId;
using std::chrono::milliseconds;

struct Tick {};

// One node that counts, up to `end` if that is not 0.
struct CounterProtocol {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  using Message = Tick;
  using Action = Tick;
  uint32_t end = 0;

  uint32_t node_count() const { return 1; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    return end == 0 || state.count < end ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const { ++state.count; }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto count = [](NodeId, const State& s) { return std::optional(s.count); };
    return {model::NodeInvariant<State, uint32_t>({.name = "not-three", .text = "Never three."},
                                                  count, [](uint32_t c) { return c == 3; }),
            model::NodeInvariant<State, uint32_t>({.name = "no-billion", .text = "Not so many."},
                                                  count, [](uint32_t c) { return c == 1u << 30; })};
  }
};

const Race::Judge kAcceptAll = [](size_t, size_t, const model::Violation&) { return true; };

class RaceTest : public testing::Test {
 protected:
  // A clock that moves on by a millisecond with every look.
  Budget Patience(milliseconds time) {
    return Budget({.deadline = Budget::Time{} + time},
                  [this] { return Budget::Time{} + milliseconds(looks_++); });
  }
  std::vector<EngineRun> Run(Race& race, std::set<std::string> found = {}) {
    return race.Run(std::move(found), kAcceptAll);
  }

  std::atomic<int> looks_ = 0;
  const std::unique_ptr<model::Service> service_ = model::MakeService(CounterProtocol{});
  const model::SystemCut start_{.nodes = {{.body = service_->InitialState(NodeId(0))}}};
  const model::ValidCut valid_ = *model::ValidCut::Make(*service_, start_);
};

TEST_F(RaceTest, EveryEngineGetsItsTurnOnASpaceWithoutEnd) {
  // An engine notices late that its share is over, by some looks at the clock.
  const Budget budget = Patience(milliseconds(2'000));
  Race race(*service_, {valid_, valid_}, {.engines = EngineNames(), .ignored = {"not-three"}},
            budget);
  const std::vector<EngineRun> runs = Run(race);
  EXPECT_EQ(runs.size(), 2 * EngineNames().size());
  for (const EngineRun& run : runs) {
    EXPECT_FALSE(run.report.complete);
    EXPECT_EQ(run.report.outcome, model::Outcome::kBudget);
  }
}

TEST_F(RaceTest, WhatIsFoundIsNotKeptWaiting) {
  const Budget budget = Patience(milliseconds(1'000));
  Race race(*service_, {valid_}, {.engines = {"consequence"}}, budget);
  const std::vector<EngineRun> runs = Run(race);
  ASSERT_EQ(runs.size(), 1u);
  ASSERT_EQ(runs[0].report.violations.size(), 1u);
  EXPECT_EQ(runs[0].report.violations[0].invariant, "not-three");
  EXPECT_FALSE(runs[0].report.complete);
  EXPECT_LT(looks_, 300) << "of a thousand";
}

// Else a violation that is there for ever would keep all others from being looked for.
TEST_F(RaceTest, NewsIsNotKeptWaitingForLongerThanItTook) {
  const auto looks = [this](std::set<std::string> told) {
    looks_ = 0;
    const Budget budget = Patience(milliseconds(10'000));
    Race race(*service_, {valid_}, {.engines = {"consequence"}, .told = std::move(told)}, budget);
    EXPECT_EQ(Run(race).size(), 1u);
    return looks_.load();
  };
  EXPECT_LT(looks({}), 200) << "of ten thousand";
  EXPECT_GT(looks({"not-three"}), 1'000) << "a tenth";
}

TEST_F(RaceTest, StopsAtOnceIfNothingElseIsWanted) {
  const Budget budget = Patience(milliseconds(1'000'000));
  for (const bool all : {false, true}) {
    RaceOptions options{.engines = EngineNames(), .threads = 3, .all_invariants = all};
    if (all) options.ignored = {"no-billion", model::kLocalAssertions};
    Race race(*service_, {valid_, valid_}, options, budget);
    size_t found = 0;
    for (const EngineRun& run : Run(race)) found += run.report.violations.size();
    EXPECT_GE(found, 1u);
  }
  Race nothing(*service_, {valid_},
               {.engines = EngineNames(), .ignored = {"no-billion", model::kLocalAssertions}},
               budget);
  EXPECT_TRUE(Run(nothing, {"not-three"}).empty());
}

TEST_F(RaceTest, StepsAreSplitAndPaidFor) {
  Budget budget({.steps_max = 30'000}, [] { return Budget::Time{}; });
  // `dir` gives up at once on what never ends.
  const std::vector<std::string> engines = {"por", "lmc", "consequence"};
  Race race(*service_, {valid_}, {.engines = engines, .threads = 2}, budget);
  const std::vector<EngineRun> runs = Run(race);
  ASSERT_EQ(runs.size(), 3u);
  for (const EngineRun& run : runs) {
    EXPECT_GT(*run.report.stats.transitions, 1'000u) << run.engine;
    EXPECT_LE(*run.report.stats.transitions, 10'000u) << run.engine;
  }
  race.Charge(budget);
  EXPECT_GT(budget.steps_taken(), 20'000u);
}

TEST_F(RaceTest, RejectedClaimsAreNotFound) {
  Budget budget({.steps_max = 3'000}, [] { return Budget::Time{}; });
  Race race(*service_, {valid_}, {.engines = {"por"}}, budget);
  const auto runs = race.Run({}, [](size_t, size_t, const model::Violation&) { return false; });
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE(runs[0].report.violations.empty());
  EXPECT_EQ(runs[0].report.outcome, model::Outcome::kBudget);
}

TEST_F(RaceTest, ACoveredSpaceIsLeftToNobodyElse) {
  const auto small = model::MakeService(CounterProtocol{.end = 2});
  const Budget budget = Patience(milliseconds(1'000'000));
  Race race(*small, {valid_, valid_}, {.engines = EngineNames()}, budget);
  const std::vector<EngineRun> runs = Run(race);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].space, 0u);
  EXPECT_EQ(runs[1].space, 1u);
}

}  // namespace
}  // namespace foretell::predictors
