#include "foretell/agent/telemetry/signals/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <thread>

#include "foretell/agent/testing/prometheus_parser.h"

namespace foretell::agent {
namespace {

using LabelMap = std::map<std::string, std::string>;

TEST(PrometheusNameTest, SpellsOutUnitsAndTotals) {
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kRounds)), "foretell_rounds_total");
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kRoundDuration)), "foretell_round_duration_seconds");
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kSnapshotSize)), "foretell_snapshot_size_bytes");
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kMemoHitRatio)), "foretell_memo_hit_ratio");
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kStateRate)), "foretell_state_rate_per_second");
  EXPECT_EQ(PrometheusName(MetricOf(metrics::kDepth)), "foretell_depth");
}

TEST(MetricsTest, NamesAreDifferentAndBoundsRise) {
  std::set<std::string> names;
  for (const Metric& metric : kAllMetrics) {
    EXPECT_TRUE(names.insert(PrometheusName(metric)).second) << metric.name;
    EXPECT_EQ(metric.bounds.empty(), metric.kind != MetricKind::kHistogram) << metric.name;
    EXPECT_TRUE(std::is_sorted(metric.bounds.begin(), metric.bounds.end())) << metric.name;
    EXPECT_TRUE(metric.description.ends_with('.')) << metric.name;
  }
}

TEST(RegistryTest, AnEmptyOneStillNamesEveryMetric) {
  const auto families = PrometheusParser::Parse(Registry().Text());
  EXPECT_EQ(families.size(), kAllMetrics.size());
  EXPECT_EQ(families.at("foretell_rounds_total").type, "counter");
  EXPECT_EQ(families.at("foretell_snapshot_age_seconds").type, "gauge");
  EXPECT_EQ(families.at("foretell_round_duration_seconds").type, "histogram");
}

TEST(RegistryTest, TextHasTheValues) {
  Registry registry;
  registry.Add(metrics::kRounds, {{"foretell.outcome", "ok"}}, 2);
  registry.Add(metrics::kRounds, {{"foretell.outcome", "ok"}}, 1);
  registry.Add(metrics::kRounds, {{"foretell.outcome", "failed"}}, 1);
  registry.Set(metrics::kMemoHitRatio, {{"foretell.engine", "por"}}, 0.1);
  const auto families = PrometheusParser::Parse(registry.Text());
  const auto& rounds = families.at("foretell_rounds_total").samples;
  EXPECT_EQ(rounds.at({"foretell_rounds_total", LabelMap{{"foretell_outcome", "ok"}}}), 3);
  EXPECT_EQ(rounds.at({"foretell_rounds_total", LabelMap{{"foretell_outcome", "failed"}}}), 1);
  EXPECT_THAT(registry.Text(), testing::HasSubstr("{foretell_engine=\"por\"} 0.1\n"));
}

TEST(RegistryTest, HistogramsAreCumulative) {
  Registry registry;
  for (const double value : {0.0005, 0.001, 0.3, 1000.0}) {
    registry.Record(metrics::kRoundDuration, {}, value);
  }
  const auto families = PrometheusParser::Parse(registry.Text());
  const auto& samples = families.at("foretell_round_duration_seconds").samples;
  const auto bucket = [&](const char* bound) {
    return samples.at({"foretell_round_duration_seconds_bucket", LabelMap{{"le", bound}}});
  };
  EXPECT_EQ(bucket("0.001"), 2) << "a bound belongs to its bucket";
  EXPECT_EQ(bucket("0.25"), 2);
  EXPECT_EQ(bucket("0.5"), 3);
  EXPECT_EQ(bucket("+Inf"), 4);
  EXPECT_DOUBLE_EQ(samples.at({"foretell_round_duration_seconds_sum", LabelMap{}}), 1000.3015);
}

TEST(RegistryTest, LabelValuesAreEscapedAndReadBack) {
  const std::string nasty = "a\"b\\c\nd{}=,\xc3\xa9";
  Registry registry;
  registry.Add(metrics::kSnapshotRejected, {{"foretell.reason", nasty}}, 1);
  const auto families = PrometheusParser::Parse(registry.Text());
  const auto& samples = families.at("foretell_snapshot_rejected_total").samples;
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples.begin()->first.second.at("foretell_reason"), nasty);
}

TEST(RegistryTest, TheOrderOfLabelsDoesNotMatter) {
  Registry registry;
  registry.Add(metrics::kVetoes, {{"a", "1"}, {"b", "2"}}, 1);
  registry.Add(metrics::kVetoes, {{"b", "2"}, {"a", "1"}}, 1);
  ASSERT_EQ(registry.Values(metrics::kVetoes).size(), 1u);
  EXPECT_EQ(registry.Values(metrics::kVetoes)[0].value, 2);
}

TEST(RegistryTest, ACounterNeverFallsAndNothingUnrealIsKept) {
  Registry registry;
  registry.Add(metrics::kRounds, {}, 5);
  registry.Add(metrics::kRounds, {}, -1);
  registry.Add(metrics::kRounds, {}, std::numeric_limits<double>::quiet_NaN());
  registry.Add(metrics::kRounds, {}, std::numeric_limits<double>::infinity());
  registry.Record(metrics::kRoundDuration, {}, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(registry.Values(metrics::kRounds)[0].value, 5);
  EXPECT_NO_THROW(PrometheusParser::Parse(registry.Text()));
}

TEST(RegistryTest, SeriesAreLimitedAndTheRestIsCounted) {
  Registry registry;
  for (size_t i = 0; i < Registry::kSeriesMax + 3; ++i) {
    registry.Set(metrics::kNodeUp, {{"foretell.node.id", std::to_string(i)}}, 1);
  }
  EXPECT_EQ(registry.Values(metrics::kNodeUp).size(), Registry::kSeriesMax);
  const auto dropped = registry.Values(metrics::kTelemetryDropped);
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped[0].value, 3);
  registry.Clear(metrics::kNodeUp);
  registry.Set(metrics::kNodeUp, {{"foretell.node.id", "9999"}}, 1);
  EXPECT_EQ(registry.Values(metrics::kNodeUp).size(), 1u);
}

TEST(RegistryTest, ManyThreadsLoseNothing) {
  Registry registry;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) {
        registry.Add(metrics::kRounds, {}, 1);
        registry.Record(metrics::kRoundDuration, {}, 0.1);
        if (k % 100 == 0) PrometheusParser::Parse(registry.Text());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registry.Values(metrics::kRounds)[0].value, 4000);
}

TEST(PrometheusParserTest, RefusesWhatTheFormatDoesNotAllow) {
  const std::string head = "# HELP a_total x\n# TYPE a_total counter\n";
  EXPECT_NO_THROW(PrometheusParser::Parse(head + "a_total{b=\"c\"} 1\n"));
  for (const char* bad : {"a_total 1", "b_total 1\n", "a_total{b=\"c} 1\n", "a_total{b=\"c\",} 1\n",
                          "a_total{b=\"\\q\"} 1\n", "a_total 1\na_total 1\n", "a_total one\n",
                          "a_total -1\n", "# HELP a_total again\n", "a_total{1b=\"c\"} 1\n"}) {
    EXPECT_THROW(PrometheusParser::Parse(head + bad), std::runtime_error) << bad;
  }
}

TEST(RegistryTest, EverySeriesSaysWhatIsWatched) {
  Registry registry({{"foretell.watched.service", "paxos"}, {"foretell.watched.cluster", ""}});
  registry.Set(metrics::kBuildInfo, {{"foretell.version", "1"}}, 1);
  registry.Record(metrics::kSnapshotSize, {}, 300);
  const std::string text = registry.Text();
  EXPECT_THAT(text, testing::HasSubstr("\nforetell_build_info{foretell_version=\"1\","
                                       "foretell_watched_service=\"paxos\"} 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("foretell_snapshot_size_bytes_bucket{"
                                       "foretell_watched_service=\"paxos\",le=\"1024\"}"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("cluster")));
}

}  // namespace
}  // namespace foretell::agent
