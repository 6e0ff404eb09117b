#include "foretell/predictors/views/service_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeToy;
using testing::Steps;

model::Report Explore(const model::Service& service, const model::SystemCut& start) {
  model::Budget budget = Steps(10'000);
  const auto report = MakeEngine("por", service, {})->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : model::Report{};
}

TEST(InvariantViewTest, HidesInvariants) {
  const model::System toy = MakeToy();
  EXPECT_EQ(Explore(*toy.service, toy.start).outcome, model::Outcome::kViolation);
  const std::vector<std::string> hidden = {"few"};
  const model::Report report = Explore(InvariantView::Without(*toy.service, hidden), toy.start);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(Explore(InvariantView::Only(*toy.service, "few"), toy.start).outcome,
            model::Outcome::kViolation);
}

TEST(InvariantViewTest, FindsTheFirstStateInWhichAGoalHolds) {
  const model::System toy = MakeToy();
  EXPECT_THAT(OpenGoals(*toy.service, toy.start), ElementsAre("served"));
  const std::vector<std::string> goals = {"served"};
  const InvariantView view = InvariantView::Goals(*toy.service, goals, "few");
  const model::Report report = Explore(view, toy.start);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].invariant, "served");
  EXPECT_EQ(report.violations[0].path.size(), 2u);
  const auto replayed = model::Replay(*toy.service, toy.start, report.violations[0].path);
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_THAT(OpenGoals(*toy.service, replayed->back().after), IsEmpty());
}

TEST(InvariantViewTest, AGoalDoesNotCountWhereTheInvariantIsBroken) {
  // One token is already too many: node 1 is served only when it is too late.
  const model::System toy = MakeToy({.got_max = 0});
  const std::vector<std::string> goals = {"served"};
  EXPECT_EQ(Explore(InvariantView::Goals(*toy.service, goals, "few"), toy.start).outcome,
            model::Outcome::kNone);
  EXPECT_EQ(Explore(InvariantView::Goals(*toy.service, goals, ""), toy.start).outcome,
            model::Outcome::kViolation);
}

}  // namespace
}  // namespace foretell::predictors
