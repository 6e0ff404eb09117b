// Engine `live` asked about fairness.

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/fairness/lasso_check.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/recovery/certificate.h"
#include "foretell/search/testing/restless_protocol.h"

namespace foretell::search {
namespace {

using model::Fairness;
using model::LivenessVerdict;

model::Report Explore(const RestlessProtocol& protocol, Fairness fairness,
                      uint64_t steps_max = 1'000'000) {
  const auto service = model::MakeService(protocol);
  LiveOptions options;
  options.property = "arrived";
  options.fairness = fairness;
  options.loss = Loss::kNone;
  model::Budget budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
  auto report = MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : model::Report{};
}

LivenessVerdict VerdictOn(const RestlessProtocol& protocol, Fairness fairness) {
  return Explore(protocol, fairness).liveness->verdict;
}

TEST(FairCycleTest, WhoIsNotAskedSaysNothing) {
  const model::Report report = Explore({.jumps = true}, Fairness::kNone);
  EXPECT_EQ(report.liveness->verdict, LivenessVerdict::kLive);
  EXPECT_TRUE(report.complete);
}

TEST(FairCycleTest, WhatIsPossibleNowAndThenMayNeverHappen) {
  const model::Report report = Explore({.jumps = true}, Fairness::kWeak);
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kFairCycle);
  EXPECT_EQ(report.liveness->fairness, Fairness::kWeak);
  EXPECT_EQ(report.outcome, model::Outcome::kViolation);
  EXPECT_FALSE(report.complete);
  const model::Violation& violation = report.violations[0];
  EXPECT_EQ(violation.path.size(), 2u);
  EXPECT_EQ(violation.death->cycle_from, 1u);
  EXPECT_TRUE(violation.death->proof.checked);
  EXPECT_EQ(violation.death->proof.states, 2u);
}

TEST(FairCycleTest, UnderStrongFairnessItHappens) {
  const model::Report report = Explore({.jumps = true}, Fairness::kStrong);
  EXPECT_EQ(report.liveness->verdict, LivenessVerdict::kLive);
  EXPECT_TRUE(report.complete);
}

TEST(FairCycleTest, WhatStaysPossibleHappens) {
  EXPECT_EQ(VerdictOn({.jumps = true, .steady = true}, Fairness::kWeak), LivenessVerdict::kLive);
}

TEST(FairCycleTest, AChoiceTurnsOutEveryWay) {
  // To toss is possible now and then: it may never happen, but not always turn out the same.
  EXPECT_EQ(VerdictOn({.tosses = true}, Fairness::kWeak), LivenessVerdict::kFairCycle);
  EXPECT_EQ(VerdictOn({.tosses = true}, Fairness::kStrong), LivenessVerdict::kLive);
}

TEST(FairCycleTest, WhatIsInFlightArrivesUnlessItIsLost) {
  const RestlessProtocol protocol = {.told = true};
  EXPECT_EQ(VerdictOn(protocol, Fairness::kWeak), LivenessVerdict::kLive);
  const model::Report report = Explore(protocol, Fairness::kFairLoss);
  ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kFairCycle);
  // It was sent once, which is not again and again.
  EXPECT_EQ(report.violations[0].path.size(), 3u);
  EXPECT_EQ(report.violations[0].death->cycle_from, 2u);
}

TEST(FairCycleTest, StreamsLoseNothing) {
  const RestlessProtocol protocol = {.told = true, .network_kind = model::NetworkKind::kStreams};
  EXPECT_EQ(VerdictOn(protocol, Fairness::kFairLoss), LivenessVerdict::kLive);
}

// Each round sends more than arrives. The nodes are as they were, and what piles up forbids
// nothing.
TEST(FairCycleTest, WhatPilesUpIsNoWayOut) {
  for (const Fairness fairness : {Fairness::kWeak, Fairness::kFairLoss}) {
    const model::Report report = Explore({.jumps = true, .noisy = true}, fairness);
    ASSERT_EQ(report.liveness->verdict, LivenessVerdict::kFairCycle);
    EXPECT_EQ(report.violations[0].path.size(), 3u);
  }
}

// That there is none is known only of what was looked at.
TEST(FairCycleTest, ABoundIsNoVerdict) {
  const model::Report piled = Explore({.jumps = true, .noisy = true}, Fairness::kStrong);
  EXPECT_EQ(piled.liveness->verdict, LivenessVerdict::kUndecided);
  EXPECT_FALSE(piled.complete);
  const model::Report cut = Explore({.jumps = true, .steady = true}, Fairness::kWeak, 1);
  EXPECT_EQ(cut.liveness->verdict, LivenessVerdict::kUndecided);
}

class LassoCheckTest : public testing::Test {
 protected:
  LassoCheckTest()
      : service_(model::MakeService(RestlessProtocol{.jumps = true, .told = true})),
        start_(model::InitialCut(*service_)) {
    const model::PlainSystem system(*service_, start_);
    for (const model::PathStep& step : system.Enabled()) {
      (step.node == model::NodeId(0) ? tick_ : tell_) = step;
    }
  }
  std::string Complaint(const model::Path& path, size_t cycle_from, Fairness fairness) {
    const absl::Status status =
        CheckLasso({*service_, model::CountOn::kCalls, fairness, start_, path, cycle_from,
                    [this](const model::SystemCut& cut) { return HoldsIn(*service_, 0, cut); }});
    return std::string(status.message());
  }

  const std::unique_ptr<model::Service> service_;
  const model::SystemCut start_;
  model::PathStep tick_;
  model::PathStep tell_;
};

TEST_F(LassoCheckTest, NamesWhatIsWrong) {
  const std::string head = "a fair cycle does not stand its check: ";
  EXPECT_EQ(Complaint({tell_, tick_, tick_}, 1, Fairness::kFairLoss), "");
  EXPECT_EQ(Complaint({tell_, tick_, tick_}, 1, Fairness::kWeak),
            head + "deliver Hint() from node 1 at node 0 is put off for ever");
  EXPECT_EQ(Complaint({tick_, tick_}, 0, Fairness::kWeak),
            head + "action Tell() at node 1 is put off for ever");
  EXPECT_EQ(Complaint({tell_, tick_}, 1, Fairness::kWeak), head + "a node is not as it was before");
  EXPECT_EQ(Complaint({tell_}, 1, Fairness::kWeak), head + "it has no steps");
  EXPECT_EQ(Complaint({tell_, tick_, tick_}, 1, Fairness::kNone), head + "nothing is assumed");
  EXPECT_NE(Complaint({tell_, tell_}, 1, Fairness::kWeak), "");
}

}  // namespace
}  // namespace foretell::search
