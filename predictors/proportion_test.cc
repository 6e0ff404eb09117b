// Plans with a sense of proportion: which faults they imagine, how far they look, and that they
// leave the service its work. On two-phase commit, which a coordinator that may crash can split.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/round_plan.h"
#include "foretell/predictors/testing/commit_protocol.h"
#include "foretell/predictors/testing/toy_protocol.h"
#include "foretell/predictors/views/horizon.h"
#include "foretell/predictors/views/service_views.h"

namespace foretell::predictors {
namespace {

using testing::CommitProtocol;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Steps;

// The first transaction has just begun.
model::System MakeCommit(const CommitProtocol& protocol) {
  model::System system;
  system.service = model::MakeService(protocol);
  const OpenToCalls open(*system.service);
  model::PlainSystem at(open, model::InitialCut(*system.service));
  EXPECT_TRUE(at.Apply(at.Enabled().front()).ok());
  system.start = at.state();
  return system;
}

const Steady kAllSteady(std::vector<bool>(4, true));

class ProportionTest : public ::testing::Test {
 protected:
  static Plan PlanFor(const model::Service& service, const model::SystemCut& start,
                      SteeringOptions options) {
    options.steerable.assign(service.node_count(), true);
    auto portfolio = Portfolio::Make(service, {.engines = {"por"}});
    const auto prediction = (*portfolio)->Predict(start, Steps(200'000));
    EXPECT_TRUE(prediction.ok()) << prediction.status();
    EXPECT_EQ(prediction->predicted.size(), 1u);
    model::Budget budget = Steps(2'000'000);
    const auto plan = PlanRound(service, *prediction, prediction->predicted.at(0), options, budget);
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  }
  static Plan PlanFor(const CommitProtocol& protocol, const SteeringOptions& options) {
    const model::System system = MakeCommit(protocol);
    return PlanFor(*system.service, system.start, options);
  }
};

TEST_F(ProportionTest, WhatTakesAFaultThatNeedNotBeExpectedHasNoPlan) {
  const Plan plan = PlanFor({.forgets_decision = true}, {.steady = kAllSteady});
  EXPECT_THAT(plan.filters, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("it takes that node 0 crashes, which has not happened"));
}

TEST_F(ProportionTest, APlanThatLetsNothingCommitIsRefused) {
  const Plan plan = PlanFor({.forgets_decision = true}, {});
  EXPECT_THAT(plan.filters, IsEmpty()) << plan.text;
  EXPECT_THAT(plan.text, HasSubstr("done each time, never again let commits come to hold"));
}

TEST_F(ProportionTest, APlanSaysWhichFaultsItAssumes) {
  const model::System system = MakeCommit({.forgets_decision = true});
  const InvariantView careless = InvariantView::Only(*system.service, "atomic");
  const Plan plan = PlanFor(careless, system.start, {});
  EXPECT_THAT(plan.filters, ::testing::Not(IsEmpty())) << plan.text;
  EXPECT_THAT(plan.assumes, ElementsAre("node 0 crashes"));
  EXPECT_THAT(plan.text, HasSubstr(" It assumes that node 0 crashes."));
}

// What splits a transaction without any fault is stopped, and transactions go on.
TEST_F(ProportionTest, ThePlanThatLetsTransactionsCommitIsTaken) {
  for (const SteeringOptions& options : {SteeringOptions{}, {.steady = kAllSteady}}) {
    const Plan plan = PlanFor({.impatient = true}, options);
    EXPECT_EQ(plan.filters.size(), 3u) << plan.text;
    for (const snapshot::Filter& filter : plan.filters) {
      EXPECT_EQ(filter.kind, snapshot::FilterKind::kPostpone) << plan.text;
    }
    EXPECT_THAT(plan.assumes, IsEmpty());
  }
}

// With both bugs the shortest way may take a crash; the one that takes none is planned against.
TEST_F(ProportionTest, AWayWithoutTheFaultIsPlannedAgainst) {
  const Plan plan = PlanFor({.forgets_decision = true, .impatient = true}, {.steady = kAllSteady});
  EXPECT_EQ(plan.filters.size(), 3u) << plan.text;
  EXPECT_THAT(plan.assumes, IsEmpty());
}

TEST_F(ProportionTest, WhatIsFarAwayIsOnlyTold) {
  const Plan plan = PlanFor({.impatient = true}, {.steps_max = 2});
  EXPECT_THAT(plan.filters, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("steps away, and plans are made up to 2."));
}

TEST_F(ProportionTest, TransactionsCommitOverAHorizon) {
  const model::System system = MakeCommit({});
  EXPECT_THAT(HoldAgain(*system.service, system.start, "atomic"), ElementsAre("commits"));
  EXPECT_THAT(HoldAgain(*system.service, system.start, "atomic", {.steps_max = 15}), IsEmpty());
}

}  // namespace
}  // namespace foretell::predictors
