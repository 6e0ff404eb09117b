#include "foretell/search/liveness/live_explorer.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/testing/ask_protocol.h"

namespace foretell::search {
namespace {

using model::LivenessVerdict;

constexpr const char* kProperty = "answered";

model::Budget Steps(uint64_t steps_max) {
  return model::Budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
}

absl::StatusOr<model::Report> Explore(const AskProtocol& protocol, LiveOptions options = {},
                                      uint64_t steps_max = 1'000'000) {
  const auto service = model::MakeService(protocol);
  if (options.property.empty()) options.property = kProperty;
  model::Budget budget = Steps(steps_max);
  return MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
}

TEST(LiveExplorerTest, WhoAsksAgainIsAnsweredInTheEnd) {
  const auto report = Explore({.retries = true});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->liveness->verdict, LivenessVerdict::kLive);
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->outcome, model::Outcome::kNone);
}

TEST(LiveExplorerTest, WhoDoesNotAskAgainIsDeadOnceTheQuestionIsLost) {
  const auto report = Explore({});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kDead);
  const model::Violation& violation = report->violations[0];
  EXPECT_EQ(violation.path.size(), 1u);
  EXPECT_TRUE(violation.death->by_loss);
  EXPECT_EQ(violation.death->lost.size(), 1u);
  EXPECT_TRUE(violation.death->proof.checked);
}

TEST(LiveExplorerTest, WithoutLossesItIsLive) {
  LiveOptions options;
  options.loss = Loss::kNone;
  const auto report = Explore({}, options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->liveness->verdict, LivenessVerdict::kLive);
}

TEST(LiveExplorerTest, WhatIsAdverseKillsAndDoesNotHelp) {
  const auto report = Explore({.retries = true, .goes_deaf = true});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kDead);
  const model::Violation& violation = report->violations[0];
  const model::Death& death = *violation.death;
  EXPECT_EQ(death.critical_step, 1u);
  EXPECT_FALSE(death.by_loss);
  ASSERT_EQ(death.kinds.size(), 1u);
  EXPECT_EQ(death.kinds[0].event, "action GoDeaf");
  // Nobody counts on Recover, but it is what would help, and so would a restart.
  ASSERT_FALSE(death.cures.empty());
  const auto recovers = [](const model::Cure& cure) {
    return cure.helps && cure.text == "Recover() at node 1";
  };
  EXPECT_TRUE(std::any_of(death.cures.begin(), death.cures.end(), recovers));
  // The twin shares all but the critical step, and then lives.
  const auto service = model::MakeService(AskProtocol{.retries = true, .goes_deaf = true});
  const auto steps = model::Replay(*service, model::InitialCut(*service), death.twin);
  ASSERT_TRUE(steps.ok()) << steps.status();
  EXPECT_TRUE(model::PlainSystem(*service, steps->back().after).Culprits(kProperty).empty());
}

TEST(LiveExplorerTest, AChoiceOfNoWeightCannotBeCountedOn) {
  const auto report = Explore({.shrugs = true});
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kDead);
  // As it is: the question was taken, and there is nothing in flight to be lost.
  EXPECT_FALSE(report->violations[0].death->by_loss);
  EXPECT_EQ(report->violations[0].path.size(), 2u);
}

TEST(LiveExplorerTest, ANodeThatFailedIsDead) {
  const auto report = Explore({.retries = true, .fails = true});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->liveness->verdict, LivenessVerdict::kStartDead);
}

TEST(LiveExplorerTest, WithoutCallsItIsDeadFromTheStartAndSaysWhatNeverChanges) {
  LiveOptions options;
  options.count_on = model::CountOn::kHelpful;
  const auto report = Explore({.retries = true}, options);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kStartDead);
  const model::Death& death = *report->violations[0].death;
  EXPECT_EQ(death.critical_step, 0u);
  ASSERT_FALSE(death.blame.empty());
  EXPECT_EQ(death.blame[0],
            "node 0 has asked=no, answered=no, deaf=no in all 1 states that can "
            "follow");
  ASSERT_FALSE(death.cures.empty());
  EXPECT_EQ(death.cures[0].text, "Call() at node 0");
}

TEST(LiveExplorerTest, ABoundIsNoVerdict) {
  const auto report = Explore({.retries = true}, {}, /*steps_max=*/2);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_NE(report->liveness->verdict, LivenessVerdict::kLive);
  EXPECT_FALSE(model::IsViolation(report->liveness->verdict));
  EXPECT_FALSE(report->complete);
  EXPECT_EQ(report->outcome, model::Outcome::kBudget);
}

TEST(LiveExplorerTest, AnUnknownPropertyIsNamedWithThoseThereAre) {
  LiveOptions options;
  options.property = "anwsered";
  const auto report = Explore({}, options);
  EXPECT_EQ(report.status().message(),
            "there is no liveness predicate anwsered; there is answered");
}

}  // namespace
}  // namespace foretell::search
