#include "foretell/predictors/coverage/explore_covered.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/coverage/coverage_service.h"
#include "foretell/predictors/testing/holder_protocol.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using model::Outcome;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using testing::HolderProtocol;
using ::testing::IsEmpty;
using testing::MakeHolders;
using testing::MakeToy;
using testing::Steps;

constexpr uint64_t kPlenty = 1'000'000;

Engine EngineOf(const std::string& name) {
  for (const Engine& engine : SafetyEngines()) {
    if (engine.name == name) return engine;
  }
  ADD_FAILURE() << "no engine " << name;
  return {};
}

CoveredReport Covered(const std::string& engine, const model::System& system,
                      const EngineOptions& options = {}, uint64_t steps = kPlenty) {
  model::Budget budget = Steps(steps);
  auto covered = ExploreCovered(EngineOf(engine), options, *system.service, system.start, budget);
  EXPECT_TRUE(covered.ok()) << covered.status();
  return covered.ok() ? *std::move(covered) : CoveredReport{};
}

// Why all this is needed: a reduced search that believes it misses the violation.
TEST(ExploreCoveredTest, AWrongStableHidesAViolationFromAnEngineAlone) {
  const model::System system = MakeHolders();
  model::Budget budget = Steps(kPlenty);
  const auto report = EngineOf("por").make(*system.service, {})->Explore(system.start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->outcome, Outcome::kNone);
  EXPECT_TRUE(report->complete);
}

// Engine consequence leaves out what others do not, whatever is claimed; it says so.
TEST(ExploreCoveredTest, AWrongStableHidesNothingFromAnyEngine) {
  for (const Engine& engine : SafetyEngines()) {
    if (engine.name == "consequence") continue;
    for (const model::Scope scope : {model::Scope::kPair, model::Scope::kSystem}) {
      SCOPED_TRACE(engine.name + " " + model::ScopeName(scope));
      const model::System system = MakeHolders({.scope = scope});
      if (engine.covers && !engine.covers(*system.service, system.start).ok()) continue;
      const CoveredReport covered = Covered(engine.name, system);
      ASSERT_EQ(covered.report.outcome, Outcome::kViolation);
      const model::Violation& found = covered.report.violations.at(0);
      EXPECT_EQ(found.invariant, "one-holder");
      EXPECT_TRUE(model::Confirm(*system.service, system.start, found.invariant, found.path).ok());
      if (!engine.trusts_stable) continue;
      ASSERT_EQ(covered.coverage.doubts.size(), 1u);
      EXPECT_THAT(
          covered.coverage.doubts[0].text,
          HasSubstr("`stable` of one-holder cannot be relied on: action Release() at node"));
      const bool again = covered.coverage.doubts[0].text.ends_with("searched again without it");
      EXPECT_EQ(again, engine.name != "portfolio") << "another of the portfolio may find it";
    }
  }
}

TEST(ExploreCoveredTest, ARightStableIsBelieved) {
  const model::System system = MakeHolders({.nodes = 1, .keeps = true});
  const CoveredReport covered = Covered("por", system);
  EXPECT_TRUE(covered.report.complete);
  EXPECT_THAT(covered.coverage.doubts, IsEmpty());
}

// The doubt comes with the last step: nothing is left for another search.
TEST(ExploreCoveredTest, WithoutBudgetForASecondSearchNothingIsClaimed) {
  const model::System system = MakeHolders();
  uint64_t enough = 1;
  while (true) {
    model::Budget budget = Steps(enough);
    const auto alone = EngineOf("por").make(*system.service, {})->Explore(system.start, budget);
    ASSERT_TRUE(alone.ok());
    if (alone->complete) break;
    ++enough;
  }
  for (uint64_t steps = 1; steps <= enough; ++steps) {
    const CoveredReport covered = Covered("por", system, {}, steps);
    EXPECT_FALSE(covered.report.complete) << steps;
    EXPECT_NE(covered.report.outcome, Outcome::kNone) << steps;
  }
}

TEST(ExploreCoveredTest, WhatWasFoundBeforeASecondSearchIsKept) {
  const model::System system = MakeHolders();
  const CoveredReport covered = Covered("por", system, {{.all_invariants = true}});
  EXPECT_EQ(covered.report.outcome, Outcome::kViolation);
  EXPECT_EQ(covered.report.violations.size(), 1u);
}

TEST(ExploreCoveredTest, OnlyACoveredSpaceIsCertain) {
  EXPECT_TRUE(Covered("global", MakeToy({.got_max = 2})).coverage.certain);
  EXPECT_FALSE(Covered("global", MakeToy({.got_max = 2}), {}, 2).coverage.certain);
  EXPECT_FALSE(Covered("global", MakeToy()).coverage.certain) << "it ended with a violation";
}

TEST(ExploreCoveredTest, ASpaceThatDoesNotEndSaysWhatGrows) {
  const model::System system =
      MakeHolders({.nodes = 1, .turns_max = 1'000'000, .counts = true, .stable = false});
  for (const char* const engine : {"global", "lmc", "por"}) {
    const CoveredReport covered = Covered(engine, system, {}, 5'000);
    EXPECT_EQ(covered.report.outcome, Outcome::kBudget) << engine;
    EXPECT_THAT(covered.coverage.growing, Contains(Field(&Growth::field, "turns"))) << engine;
    EXPECT_THAT(covered.coverage.growing, Contains(Field(&Growth::field, "log"))) << engine;
    EXPECT_THAT(covered.coverage.growing, Not(Contains(Field(&Growth::field, "left")))) << engine;
    EXPECT_THAT(CoverageNotes(covered.coverage, covered.report),
                ElementsAre(HasSubstr("`turns` kept growing (")));
  }
}

TEST(ExploreCoveredTest, MessagesThatPileUpAreToldOf) {
  const model::System system = MakeHolders({.shouts = true});
  const CoveredReport covered = Covered("global", system, {}, 2'000);
  EXPECT_EQ(covered.report.outcome, Outcome::kViolation);
  EXPECT_THAT(covered.coverage.piling, IsEmpty()) << "found all the same";
  const model::System harmless = MakeHolders({.nodes = 2, .idle = 1, .shouts = true});
  EXPECT_THAT(Covered("global", harmless, {}, 2'000).coverage.piling,
              ElementsAre("action Take() at node 0"));
}

TEST(ExploreCoveredTest, ACutOfAnotherServiceIsRefused) {
  const model::System system = MakeHolders();
  model::Budget budget = Steps(kPlenty);
  EXPECT_FALSE(ExploreCovered(EngineOf("lmc"), {}, *system.service, {}, budget).ok());
}

}  // namespace
}  // namespace foretell::predictors
