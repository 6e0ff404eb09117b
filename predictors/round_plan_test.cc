#include "foretell/predictors/round_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::MakeToy;
using testing::Steps;
using testing::ToyProtocol;

// Node 0 may send two tokens, node 1 must not get two; only node 1 is steered.
class RoundPlanTest : public ::testing::Test {
 protected:
  RoundPlanTest() {
    auto portfolio = Portfolio::Make(*toy_.service, {.engines = {"por"}});
    prediction_ = *(*portfolio)->Predict(toy_.start, Steps(10'000));
  }
  // One imagined space after the other, each the same start.
  Plan PlanFor(size_t spaces, uint64_t steps_max) {
    prediction_.spaces.assign(spaces, {toy_.start, toy_.start, "all goes on"});
    model::Budget budget = Steps(steps_max);
    const auto plan = PlanRound(*toy_.service, prediction_, prediction_.predicted.at(0),
                                {{false, true}, 16}, budget);
    EXPECT_TRUE(plan.ok()) << plan.status();
    return *plan;
  }

  const model::System toy_ = MakeToy();
  Prediction prediction_;
};

TEST_F(RoundPlanTest, CoversAllSpaces) {
  const Plan plan = PlanFor(3, 100'000);
  EXPECT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_TRUE(plan.complete);
}

TEST_F(RoundPlanTest, ASpaceThatCannotBeCheckedMeansNoPlan) {
  // From little to much: at no point is there a plan that was not checked everywhere.
  bool too_little = false;
  for (uint64_t steps = 10; steps < 1'000; ++steps) {
    const Plan plan = PlanFor(40, steps);
    if (!plan.filters.empty()) {
      EXPECT_TRUE(plan.complete) << steps << " steps: " << plan.text;
    } else if (plan.text.find("the case that all goes on") != std::string::npos) {
      too_little = true;
    }
  }
  EXPECT_TRUE(too_little);
}

}  // namespace
}  // namespace foretell::predictors
