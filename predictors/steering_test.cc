#include "foretell/predictors/steering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using snapshot::FilterKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeToy;
using testing::Steps;
using testing::ToyProtocol;

Plan PlanFor(const ToyProtocol& protocol, std::vector<bool> steerable, size_t filters_max = 16) {
  const model::System toy = MakeToy(protocol);
  auto portfolio = Portfolio::Make(*toy.service, {.engines = {"por"}});
  const auto prediction = (*portfolio)->Predict(toy.start, Steps(10'000));
  EXPECT_TRUE(prediction.ok()) << prediction.status();
  EXPECT_EQ(prediction->predicted.size(), 1u);
  model::Budget budget = Steps(100'000);
  const Predicted& predicted = prediction->predicted.at(0);
  const auto plan = PlanSteering(*toy.service, prediction->SpaceOf(predicted), predicted.violation,
                                 {std::move(steerable), filters_max}, budget);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *plan;
}

TEST(SteeringUnitTest, RefusesACallOrPostponesATimer) {
  const Plan plan = PlanFor({}, {true, true});
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_EQ(plan.step, 0u);
  const bool call = plan.text.find("asked") != std::string::npos;
  EXPECT_EQ(plan.filters[0].kind, call ? FilterKind::kRefuse : FilterKind::kPostpone);
  EXPECT_THAT(plan.text, HasSubstr("served can still come to hold"));
}

TEST(SteeringUnitTest, LeavesAloneWhatCannotBeVetoed) {
  const Plan plan = PlanFor({.must_act = true}, {true, true});
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_EQ(plan.filters[0].kind, FilterKind::kDrop);
  EXPECT_THAT(PlanFor({.must_act = true}, {true, false}).filters, IsEmpty());
}

TEST(SteeringUnitTest, DropsADatagram) {
  const Plan plan = PlanFor({}, {false, true});
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_EQ(plan.filters[0].kind, FilterKind::kDrop);
  EXPECT_EQ(plan.filters[0].node.value(), 1u);
}

TEST(SteeringUnitTest, ResetsAStreamOnlyIfABreakIsLeft) {
  const Plan none = PlanFor({.streams = true}, {false, true});
  EXPECT_THAT(none.filters, IsEmpty());
  EXPECT_THAT(none.text, HasSubstr("no event of the path can be vetoed"));
  const Plan plan = PlanFor({.streams = true, .breaks_max = 1}, {false, true});
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_EQ(plan.filters[0].kind, FilterKind::kReset);
}

TEST(SteeringUnitTest, AddsFiltersUntilNoWayIsLeft) {
  // One token is too many: it takes a filter for each. Node 0 can still send them.
  const Plan plan = PlanFor({.got_max = 0}, {false, true});
  ASSERT_EQ(plan.filters.size(), 2u) << plan.text;
  EXPECT_THAT(plan.text, HasSubstr("other events can still happen"));
  const Plan caged = PlanFor({.got_max = 0}, {false, true}, /*filters_max=*/1);
  EXPECT_THAT(caged.filters, IsEmpty());
  EXPECT_THAT(caged.text, HasSubstr("more than 1 filters"));
}

TEST(SteeringUnitTest, DoesNotStopEverything) {
  // Here both filters would be at node 0, which could then do nothing any more.
  const Plan plan = PlanFor({.got_max = 0}, {true, false});
  EXPECT_THAT(plan.filters, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("stops everything"));
}

}  // namespace
}  // namespace foretell::predictors
