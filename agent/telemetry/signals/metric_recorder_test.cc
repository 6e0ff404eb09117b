#include "foretell/agent/telemetry/signals/metric_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/telemetry/signals/spans.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;

double Value(const Registry& registry, MetricId metric, const Labels& labels) {
  for (const Registry::Series& series : registry.Values(metric)) {
    if (series.labels == labels) return series.value;
  }
  return -1;
}

Labels Hits(const char* mode, const char* source) {
  return {{"foretell.mode", mode}, {"foretell.node.id", "3"}, {"foretell.source", source}};
}

class FiguresTest : public testing::Test {
 protected:
  Registry registry_;
  std::vector<std::string> recorded_;
  Figures figures_{registry_, [this](MetricId metric, const Labels&, double) {
                     recorded_.emplace_back(MetricOf(metric).name);
                   }};
};

TEST_F(FiguresTest, OverheadIsTheGrowthBetweenTwoReadings) {
  const Labels node = {{"foretell.node.id", "3"}};
  snapshot::NodeCounters counters{.events = 10, .checkpoint_nanos = 5'000'000};
  Figures::Time now{};
  figures_.Counters(3, counters, now);
  EXPECT_EQ(Value(registry_, metrics::kNodeOverhead, node), -1) << "one reading says nothing";
  counters.checkpoint_nanos = 25'000'000;
  figures_.Counters(3, counters, now + 1000ms);
  EXPECT_DOUBLE_EQ(Value(registry_, metrics::kNodeOverhead, node), 0.02);
  // The node started again: it counts from zero.
  figures_.Counters(3, {.events = 1, .checkpoint_nanos = 1'000'000}, now + 2000ms);
  EXPECT_DOUBLE_EQ(Value(registry_, metrics::kNodeOverhead, node), 0.001);
}

TEST_F(FiguresTest, WhatANodeCopiesIsCountedAndSurvivesARestart) {
  Figures::Time now{};
  figures_.Counters(3, {.events = 9, .checkpoint_bytes = 100}, now);
  figures_.Counters(3, {.events = 10, .checkpoint_bytes = 150}, now + 1ms);
  figures_.Counters(3, {.events = 2, .checkpoint_bytes = 20}, now + 2ms);
  EXPECT_EQ(Value(registry_, metrics::kNodeCaptured, {{"foretell.node.id", "3"}}), 170);
}

TEST_F(FiguresTest, HitsAreSplitByModeAndSourceAndSurviveARestart) {
  Figures::Time now{};
  figures_.Counters(3, {.events = 9, .vetoed = 5, .shadowed = 2, .immediate_vetoed = 1}, now);
  figures_.Counters(3, {.events = 10, .vetoed = 7, .shadowed = 2, .immediate_vetoed = 2},
                    now + 1ms);
  figures_.Counters(3, {.events = 2, .vetoed = 1}, now + 2ms);
  EXPECT_EQ(Value(registry_, metrics::kFilterHits, Hits("enforce", "filter")), 6);
  EXPECT_EQ(Value(registry_, metrics::kFilterHits, Hits("enforce", "immediate")), 2);
  EXPECT_EQ(Value(registry_, metrics::kFilterHits, Hits("shadow", "filter")), 2);
}

TEST_F(FiguresTest, NumbersOfANodeThatMakeNoSenseDoNoHarm) {
  Figures::Time now{};
  figures_.Counters(3, {.events = 1, .vetoed = 1, .immediate_vetoed = 9}, now);
  figures_.Counters(3, {.events = 1, .checkpoint_nanos = ~uint64_t{0}}, now + 1ms);
  EXPECT_EQ(Value(registry_, metrics::kFilterHits, Hits("enforce", "filter")), 0);
  EXPECT_GE(Value(registry_, metrics::kNodeOverhead, {{"foretell.node.id", "3"}}), 0);
}

TEST_F(FiguresTest, AFailedRoundCountsWithoutASnapshot) {
  figures_.Round(
      {.number = 1, .duration = 20ms, .outcome = RoundOutcome::kNoSnapshot, .error = "all dead"});
  EXPECT_EQ(Value(registry_, metrics::kRounds, {{"foretell.outcome", "no_snapshot"}}), 1);
  EXPECT_TRUE(registry_.Values(metrics::kSnapshotAge).empty());
  EXPECT_THAT(recorded_, testing::ElementsAre("foretell.round.duration"));
}

TEST(MemoHitRatioTest, IsTheShareOfTransitionsWithoutAHandler) {
  EXPECT_EQ(MemoHitRatio({.transitions = 200, .handler_executions = 50}), 0.75);
  EXPECT_EQ(MemoHitRatio({.transitions = 0}), std::nullopt);
  EXPECT_EQ(MemoHitRatio({.transitions = 10, .handler_executions = 12}), 0.0) << "audits";
}

TEST(RoundSpansTest, ARoundThatFailedEarlyHasOnlyARoot) {
  const SpanTree root =
      RoundSpans({.number = 4, .outcome = RoundOutcome::kFailed, .error = "no disk"});
  EXPECT_EQ(root.error, "no disk");
  EXPECT_TRUE(root.children.empty());
}

}  // namespace
}  // namespace foretell::agent
