// Predictions from cuts of Paxos, made by playing its handlers.

#include "foretell/predictors/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "foretell/integration/paxos/family.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/live_cut.h"

namespace foretell::predictors {
namespace {

using integration::paxos::Family;
using tests::MakeOrDie;
using tests::Steps;

std::unique_ptr<Portfolio> MakeOf(const model::System& system, PortfolioOptions options = {}) {
  auto portfolio = Portfolio::Make(*system.service, std::move(options));
  EXPECT_TRUE(portfolio.ok()) << portfolio.status();
  return *std::move(portfolio);
}

// What holds for every prediction.
Prediction PredictFrom(Portfolio& portfolio, const model::System& system,
                       const model::SystemCut& live, const model::Budget& budget) {
  auto prediction = portfolio.Predict(live, budget);
  EXPECT_TRUE(prediction.ok()) << prediction.status();
  if (!prediction.ok()) return {};
  EXPECT_TRUE(prediction->rejected.empty());
  for (const EngineRun& run : prediction->runs) {
    EXPECT_TRUE(run.status.ok()) << run.status;
    EXPECT_LT(run.space, prediction->spaces.size());
  }
  for (const Predicted& predicted : prediction->predicted) {
    const auto confirmed = model::Confirm(*system.service, prediction->SpaceOf(predicted).cut,
                                          predicted.violation.invariant, predicted.violation.path);
    EXPECT_TRUE(confirmed.ok()) << confirmed.status();
  }
  return *std::move(prediction);
}

Prediction PredictFrom(const model::System& system, const model::SystemCut& live,
                       PortfolioOptions options = {}) {
  return PredictFrom(*MakeOf(system, std::move(options)), system, live, Steps(400'000));
}

void ExpectSamePrediction(const Prediction& a, const Prediction& b) {
  ASSERT_EQ(a.spaces.size(), b.spaces.size());
  for (size_t i = 0; i < a.spaces.size(); ++i) EXPECT_EQ(a.spaces[i].text, b.spaces[i].text);
  EXPECT_EQ(a.complete_spaces, b.complete_spaces);
  ASSERT_EQ(a.predicted.size(), b.predicted.size());
  for (size_t i = 0; i < a.predicted.size(); ++i) {
    EXPECT_EQ(a.predicted[i].violation.path, b.predicted[i].violation.path);
    EXPECT_EQ(a.SpaceOf(a.predicted[i]).cut, b.SpaceOf(b.predicted[i]).cut);
    EXPECT_EQ(a.predicted[i].engine, b.predicted[i].engine);
  }
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (size_t i = 0; i < a.runs.size(); ++i) {
    EXPECT_EQ(a.runs[i].engine, b.runs[i].engine);
    EXPECT_EQ(a.runs[i].space, b.runs[i].space);
    tests::ExpectSame(a.runs[i].report, b.runs[i].report);
  }
}

TEST(PortfolioTest, PredictsFromALiveCutBeforeItHappens) {
  const model::System system = MakeOrDie(Family(), "live", "last-response");
  const model::SystemCut live = tests::LiveLearnedByOne(system);
  const Prediction prediction = PredictFrom(system, live);
  ASSERT_EQ(prediction.predicted.size(), 1u);
  const Predicted& predicted = prediction.predicted[0];
  EXPECT_EQ(predicted.violation.invariant, "agreement");
  EXPECT_EQ(predicted.violation.path.size(), 9u);
  const model::Imagined& space = prediction.SpaceOf(predicted);
  EXPECT_EQ(space.text, "node 1 proposes for index 3");
  EXPECT_EQ(predicted.engine, "por");
  EXPECT_NE(space.cut, space.focus);
}

TEST(PortfolioTest, StopsAtTheFirstAnswer) {
  const model::System system = MakeOrDie(Family(), "live", "last-response");
  const model::SystemCut live = tests::LiveLearnedByOne(system);
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto begin = now();
  const model::Budget budget({.deadline = begin + std::chrono::minutes(5)}, now);
  // Nothing else to look for: it ends with the first answer.
  const Prediction prediction =
      PredictFrom(*MakeOf(system, {.ignored = {model::kLocalAssertions}}), system, live, budget);
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(now() - begin);
  EXPECT_EQ(prediction.predicted.size(), 1u);
  RecordProperty("microseconds", static_cast<int>(took.count()));
  std::cout << "predicted in " << took.count() << " us\n";
}

TEST(PortfolioTest, IsSilentOnCorrectPaxosAndRemembersIt) {
  const model::System system = MakeOrDie(Family(), "live");
  const model::SystemCut live = tests::LiveLearnedByOne(system);
  const auto portfolio = MakeOf(system, {.engines = {"known", "por"}});
  const Prediction first = PredictFrom(*portfolio, system, live, Steps(20'000'000));
  EXPECT_TRUE(first.predicted.empty());
  EXPECT_GT(first.spaces.size(), 1u);
  EXPECT_EQ(first.complete_spaces, first.spaces.size());
  const Prediction again = PredictFrom(*portfolio, system, live, Steps(1));
  EXPECT_EQ(again.complete_spaces, again.spaces.size());
  ASSERT_EQ(again.runs.size(), again.spaces.size());
  for (const EngineRun& run : again.runs) {
    ASSERT_EQ(run.report.notes.size(), 1u);
    EXPECT_THAT(run.report.notes[0], testing::HasSubstr("Known clean"));
  }
}

TEST(PortfolioTest, WhatIsLeftOfAKnownPathIsTriedFirst) {
  const model::System system = MakeOrDie(Family(), "learned-by-one", "last-response");
  const auto portfolio = MakeOf(system, {.engines = {"known", "por"}});
  const Prediction first = PredictFrom(*portfolio, system, system.start, Steps(100'000));
  ASSERT_EQ(first.predicted.size(), 1u);
  EXPECT_EQ(first.predicted[0].engine, "por");
  const model::Path& path = first.predicted[0].violation.path;
  const auto replayed = model::Replay(*system.service, first.SpaceOf(first.predicted[0]).cut, path);
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  for (size_t done = 0; done + 1 < path.size(); ++done) {
    const model::SystemCut& live = done == 0 ? system.start : (*replayed)[done - 1].after;
    const Prediction next = PredictFrom(*portfolio, system, live, Steps(1'000));
    ASSERT_EQ(next.predicted.size(), 1u) << done;
    EXPECT_EQ(next.predicted[0].engine, "known");
    EXPECT_EQ(next.predicted[0].violation.path.size(), path.size() - done);
  }
  const Prediction there = PredictFrom(*portfolio, system, replayed->back().after, Steps(1'000));
  ASSERT_EQ(there.predicted.size(), 1u);
  EXPECT_EQ(there.predicted[0].engine, kLiveCut);
  EXPECT_TRUE(there.predicted[0].violation.path.empty());
}

TEST(PortfolioTest, ThreadsDoNotShowInAPredictionByStep) {
  const model::System system = MakeOrDie(Family(), "live", "last-response");
  const model::SystemCut live = tests::LiveLearnedByOne(system);
  const Prediction one = PredictFrom(system, live, {.threads = 1});
  ExpectSamePrediction(one, PredictFrom(system, live, {.threads = 1}));
  ExpectSamePrediction(one, PredictFrom(system, live, {.threads = 2}));
  ExpectSamePrediction(one, PredictFrom(system, live, {.threads = 5}));
}

TEST(PortfolioTest, IgnoredInvariantsAreNotLookedAt) {
  const model::System system = MakeOrDie(Family(), "learned-by-one", "last-response");
  const Prediction prediction = PredictFrom(system, system.start, {.ignored = {"agreement"}});
  EXPECT_TRUE(prediction.predicted.empty());
  EXPECT_EQ(prediction.complete_spaces, 1u);
}

TEST(PortfolioTest, OneEngineIsEnoughForASpace) {
  const model::System system = MakeOrDie(Family(), "one-proposal");
  const model::Budget budget({}, [] { return model::Budget::Time{}; });
  const Prediction prediction =
      PredictFrom(*MakeOf(system, {.threads = 1}), system, system.start, budget);
  ASSERT_EQ(prediction.runs.size(), 1u);
  EXPECT_EQ(prediction.runs[0].engine, "por");
  EXPECT_TRUE(prediction.runs[0].report.complete);
}

TEST(PortfolioTest, AsAnEngineItIsRepeatableAndComplete) {
  const model::System system = MakeOrDie(Family(), "one-proposal");
  const model::Report report = tests::Explore(system, "portfolio");
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  tests::ExpectSame(report, tests::Explore(system, "portfolio"));
  EXPECT_FALSE(
      tests::Explore(*system.service, system.start, "portfolio", {}, /*steps_max=*/30).complete);
}

}  // namespace
}  // namespace foretell::predictors
