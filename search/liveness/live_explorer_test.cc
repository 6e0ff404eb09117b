#include "foretell/search/liveness/live_explorer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/testing/ask_protocol.h"
#include "foretell/search/testing/counting_protocol.h"
#include "foretell/search/testing/hoard_protocol.h"

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
    return cure.helps() && cure.text == "Recover() at node 1";
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
  EXPECT_EQ(death.blame[0], "node 0 has asked=no, answered=no, deaf=no, and nothing can follow");
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

// Less than the first walks of all take: none of them can have been in vain.
TEST(LiveExplorerTest, ABudgetThatEndsBeforeTheWalksDoIsNoSuspicion) {
  const auto service = model::MakeService(CountingProtocol{.counting = true});
  LiveOptions options;
  options.property = "counted";
  for (uint64_t steps_max = 1; steps_max < 250; ++steps_max) {
    model::Budget budget = Steps(steps_max);
    const auto report =
        MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->liveness->verdict, LivenessVerdict::kUndecided) << steps_max;
  }
}

// The cut after the first step, in which a question is in flight.
model::SystemCut Asked(const model::Service& service) {
  model::PlainSystem system(service, model::InitialCut(service));
  EXPECT_TRUE(system.Apply(system.Enabled().front()).ok());
  return system.state();
}

// It is alive as long as nothing is lost.
TEST(LiveExplorerTest, AStartThatOnlyALossKillsIsNotDead) {
  const auto service = model::MakeService(AskProtocol{});
  LiveOptions options;
  options.property = kProperty;
  model::Budget budget = Steps(1'000'000);
  const auto report = MakeLiveExplorer(*service, options)->Explore(Asked(*service), budget);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kDead);
  const model::Death& death = *report->violations[0].death;
  EXPECT_TRUE(death.by_loss);
  EXPECT_EQ(death.critical_step, 0u);
  EXPECT_EQ(death.twin.size(), 2u);  // The question arrives, the answer arrives.
  EXPECT_TRUE(death.blame.empty());
}

TEST(LiveExplorerTest, WhereLossesAreNotCountedWithNobodyDiesOfThem) {
  const auto service = model::MakeService(AskProtocol{});
  for (const Loss loss : {Loss::kAny, Loss::kNone}) {
    LiveOptions options;
    options.property = kProperty;
    options.loss = loss;
    model::Budget budget = Steps(1'000'000);
    const auto found = ExamineDeath(*service, options, Asked(*service), {}, budget);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->has_value(), loss == Loss::kAny);
  }
}

// What only many equal messages in flight lead to: found by `cover`, told by a shortest way.
TEST(LiveExplorerTest, AnyNumberOfCopiesIsToldInAsFewStepsAsItTakes) {
  for (const uint8_t patience : std::initializer_list<uint8_t>{2, 3, 5}) {
    const auto service = model::MakeService(HoardProtocol{.patience = patience});
    LiveOptions options;
    options.property = "content";
    model::Budget budget = Steps(10'000'000);
    const auto report =
        MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kDead) << report->liveness->text;
    // So many pings are sent and arrive late; node 0 closes, and node 1 hears of it.
    EXPECT_EQ(report->violations[0].path.size(), 2u * patience + 2);
    EXPECT_EQ(report->violations[0].death->critical_step, 2u * patience + 2);
    EXPECT_FALSE(report->violations[0].death->twin.empty());
  }
}

const model::Cure* FindCure(const model::Death& death, const std::string& text) {
  const auto found = std::find_if(death.cures.begin(), death.cures.end(),
                                  [&](const model::Cure& cure) { return cure.text == text; });
  return found == death.cures.end() ? nullptr : &*found;
}

// After a restart it counts, for ever as far as anybody can see: that is not known to be in vain.
TEST(LiveExplorerTest, ACureThatNobodyCanRefuteIsNotCalledUseless) {
  const auto service = model::MakeService(CountingProtocol{});
  LiveOptions options;
  options.property = "counted";
  model::Budget budget = Steps(10'000'000);
  const auto report =
      MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->liveness->verdict, LivenessVerdict::kStartDead);
  const model::Death& death = *report->violations[0].death;
  ASSERT_NE(FindCure(death, "restart node 0"), nullptr);
  EXPECT_EQ(FindCure(death, "restart node 0")->effect, model::Cure::Effect::kUnknown);
  ASSERT_NE(FindCure(death, "restart node 1"), nullptr);
  EXPECT_EQ(FindCure(death, "restart node 1")->effect, model::Cure::Effect::kNone);
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
