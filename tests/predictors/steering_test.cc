// Plans for the planted bugs, judged by engines that had no part in making them.

#include "foretell/predictors/steering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "foretell/integration/onepaxos/family.h"
#include "foretell/integration/paxos/family.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/live_cut.h"

namespace foretell::predictors {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using tests::Steps;

struct Planted {
  const char* service;
  const char* scenario;
  const char* bug;
  bool decides;  // Without the bug's help, everybody can come to choose.
};

void PrintTo(const Planted& p, std::ostream* out) { *out << p.service << ' ' << p.bug; }

model::System MakePlanted(const Planted& planted) {
  if (planted.service == std::string("paxos")) {
    return tests::MakeOrDie(integration::paxos::Family(), planted.scenario, planted.bug);
  }
  return tests::MakeOrDie(integration::onepaxos::Family(), planted.scenario, planted.bug);
}

// A predicted violation, with the space that it is in.
struct Case {
  model::Imagined space;
  model::Violation violation;
};

Case PredictOne(const model::System& system) {
  auto portfolio = Portfolio::Make(*system.service, {});
  EXPECT_TRUE(portfolio.ok()) << portfolio.status();
  auto prediction = (*portfolio)->Predict(system.start, Steps(1'000'000));
  EXPECT_TRUE(prediction.ok()) << prediction.status();
  EXPECT_EQ(prediction->predicted.size(), 1u);
  const Predicted& predicted = prediction->predicted.at(0);
  return {prediction->SpaceOf(predicted), predicted.violation};
}

Plan MakePlan(const model::System& system, const Case& predicted, const SteeringOptions& options) {
  model::Budget budget = Steps(10'000'000);
  auto plan = PlanSteering(*system.service, predicted.space, predicted.violation, options, budget);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

// Whether all nodes can come to choose the same, by a search that knows no reduction.
bool Decides(const model::Service& service, const model::SystemCut& start) {
  const std::vector<std::string> goals = {"decides"};
  const InvariantView view = InvariantView::Goals(service, goals, "agreement");
  const model::Report report = tests::Explore(view, start, "global");
  EXPECT_TRUE(report.complete || report.outcome == model::Outcome::kViolation);
  return report.outcome == model::Outcome::kViolation;
}

class SteeringPlantedTest : public testing::TestWithParam<Planted> {};

TEST_P(SteeringPlantedTest, PlanStopsTheViolationAndNotTheService) {
  const model::System system = MakePlanted(GetParam());
  const Case predicted = PredictOne(system);
  const Plan plan = MakePlan(system, predicted, {.steerable = {true, true, true}});
  ASSERT_FALSE(plan.filters.empty()) << plan.text;

  EXPECT_TRUE(plan.complete);
  EXPECT_EQ(plan.filters[0].event, predicted.violation.path.at(plan.step).event);
  EXPECT_EQ(plan.filters[0].node, predicted.violation.path.at(plan.step).node);
  EXPECT_EQ(plan.filters[0].invariant, "agreement");

  const FilteredService filtered(*system.service, plan.filters);
  for (const char* engine : {"global", "por"}) {
    const model::Report report = tests::Explore(filtered, predicted.space.cut, engine);
    EXPECT_EQ(report.outcome, model::Outcome::kNone) << engine;
    EXPECT_TRUE(report.complete) << engine;
  }
  EXPECT_EQ(Decides(filtered, predicted.space.cut), GetParam().decides);
  EXPECT_EQ(Decides(*system.service, predicted.space.cut), GetParam().decides);
  EXPECT_THAT(plan.text, HasSubstr(GetParam().decides ? "decides can still come to hold"
                                                      : "other events can still happen"));
}
INSTANTIATE_TEST_SUITE_P(Bugs, SteeringPlantedTest,
                         testing::Values(Planted{"paxos", "learned-by-one", "last-response", true},
                                         Planted{"paxos", "stepping-stone", "first-value", true},
                                         Planted{"paxos", "restart", "forgets-promise", true},
                                         Planted{"onepaxos", "leader-changed", "plus-plus", false},
                                         Planted{"onepaxos", "boot", "plus-plus", true}));

TEST(SteeringLiveTest, PlansFromALiveCut) {
  const model::System system =
      tests::MakeOrDie(integration::paxos::Family(), "live", "last-response");
  auto portfolio = Portfolio::Make(*system.service, {});
  const auto prediction = (*portfolio)->Predict(tests::LiveLearnedByOne(system), Steps(1'000'000));
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  ASSERT_EQ(prediction->predicted.size(), 1u);
  const Predicted& first = prediction->predicted[0];
  const Case predicted{prediction->SpaceOf(first), first.violation};
  const Plan plan = MakePlan(system, predicted, {.steerable = {true, true, true}});
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_TRUE(plan.complete);
  EXPECT_THAT(plan.text, HasSubstr("decides can still come to hold"));
  const FilteredService filtered(*system.service, plan.filters);
  const model::Report report = tests::Explore(filtered, predicted.space.cut, "global");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
}

class SteeringTest : public testing::Test {
 protected:
  const model::System system_ = MakePlanted({"paxos", "learned-by-one", "last-response", true});
  const Case predicted_ = PredictOne(system_);
};

TEST_F(SteeringTest, SaysThatNobodyMayBeSteered) {
  for (const SteeringOptions& nobody : {SteeringOptions{}, {.steerable = {false, false, false}}}) {
    const Plan plan = MakePlan(system_, predicted_, nobody);
    EXPECT_THAT(plan.filters, IsEmpty());
    EXPECT_THAT(plan.text, HasSubstr("no event of the path can be vetoed"));
  }
}

TEST_F(SteeringTest, SteersOnlyWhereItMay) {
  for (uint32_t only = 0; only < 3; ++only) {
    SteeringOptions options{.steerable = std::vector<bool>(3, false)};
    options.steerable[only] = true;
    const Plan plan = MakePlan(system_, predicted_, options);
    for (const snapshot::Filter& filter : plan.filters) EXPECT_EQ(filter.node.value(), only);
    const FilteredService filtered(*system_.service, plan.filters);
    const model::Report report = tests::Explore(filtered, predicted_.space.cut, "global");
    EXPECT_EQ(report.outcome == model::Outcome::kViolation, plan.filters.empty()) << plan.text;
  }
}

TEST_F(SteeringTest, NoPlanStopsProgress) {
  // Without its proposal nothing at all happens here, so that is not what the plan refuses.
  const Plan plan = MakePlan(system_, predicted_, {.steerable = {true, true, true}});
  ASSERT_EQ(predicted_.violation.path[0].event.kind, model::EventKind::kAction);
  EXPECT_GT(plan.step, 0u);
}

TEST_F(SteeringTest, WithoutBudgetThereIsNoPlan) {
  model::Budget budget = Steps(5);
  const auto plan = PlanSteering(*system_.service, predicted_.space, predicted_.violation,
                                 {.steerable = {true, true, true}}, budget);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->filters, IsEmpty());
  EXPECT_THAT(plan->text, HasSubstr("the budget does not last"));
}

TEST_F(SteeringTest, WhatHappenedCannotBeStopped) {
  Case now = predicted_;
  const auto steps = model::Replay(*system_.service, now.space.cut, now.violation.path);
  ASSERT_TRUE(steps.ok()) << steps.status();
  now.space.cut = now.space.focus = steps->back().after;
  now.violation.path.clear();
  const Plan plan = MakePlan(system_, now, {.steerable = {true, true, true}});
  EXPECT_THAT(plan.filters, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("happened already"));
}

TEST_F(SteeringTest, RefusesWhatIsNoViolation) {
  Case wrong = predicted_;
  wrong.violation.path.pop_back();
  model::Budget budget = Steps(1'000);
  EXPECT_FALSE(PlanSteering(*system_.service, wrong.space, wrong.violation, {}, budget).ok());
}

}  // namespace
}  // namespace foretell::predictors
