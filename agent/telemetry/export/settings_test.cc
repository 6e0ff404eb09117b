#include "foretell/agent/telemetry/export/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using testing::ElementsAre;
using testing::IsEmpty;

TelemetrySettings Read(const std::map<std::string, std::string>& variables) {
  return ReadTelemetrySettings([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

TEST(TelemetrySettingsTest, ExportsNothingWhenNothingIsSet) {
  const TelemetrySettings settings = Read({});
  EXPECT_EQ(ToString(settings), "traces none, metrics none, logs none");
  EXPECT_EQ(settings.spans.delay, 5000ms);
  EXPECT_EQ(settings.records.delay, 1000ms);
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST(TelemetrySettingsTest, AnEndpointTurnsItsSignalsOn) {
  EXPECT_EQ(ToString(Read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318"}})),
            "traces otlp (http/protobuf), metrics otlp (http/protobuf), logs otlp (http/protobuf)");
  EXPECT_EQ(ToString(Read({{"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://collector:4318"}})),
            "traces none, metrics none, logs otlp (http/protobuf)");
}

TEST(TelemetrySettingsTest, SignalsChooseForThemselves) {
  EXPECT_EQ(ToString(Read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4317"},
                           {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
                           {"OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "http/json"},
                           {"OTEL_METRICS_EXPORTER", "None"},
                           {"OTEL_TRACES_EXPORTER", "console"}})),
            "traces console, metrics none, logs otlp (http/json)");
}

TEST(TelemetrySettingsTest, DisabledMeansNothingIsRead) {
  const TelemetrySettings settings =
      Read({{"OTEL_SDK_DISABLED", "TRUE"}, {"OTEL_TRACES_EXPORTER", "otpl"}});
  EXPECT_EQ(ToString(settings), "traces none, metrics none, logs none");
  EXPECT_THAT(settings.warnings, IsEmpty());
}

TEST(TelemetrySettingsTest, WhatIsNotUnderstoodIsToldAndIgnored) {
  const TelemetrySettings settings = Read({{"OTEL_TRACES_EXPORTER", "zipkin"},
                                           {"OTEL_EXPORTER_OTLP_PROTOCOL", "udp"},
                                           {"OTEL_BSP_MAX_QUEUE_SIZE", "0"},
                                           {"OTEL_METRIC_EXPORT_INTERVAL", "10s"}});
  EXPECT_EQ(settings.traces.exporter, ExporterKind::kNone);
  EXPECT_EQ(settings.spans.queue_max, 2048u);
  EXPECT_EQ(settings.metric_interval, 60000ms);
  // Each of the three signals reads the common protocol.
  const std::string protocol =
      "OTEL_EXPORTER_OTLP_PROTOCOL=udp is ignored: expected one of grpc, http/protobuf, http/json";
  EXPECT_THAT(
      settings.warnings,
      ElementsAre("OTEL_TRACES_EXPORTER=zipkin is ignored: expected one of none, otlp, console",
                  protocol,
                  "OTEL_BSP_MAX_QUEUE_SIZE=0 is ignored: expected a whole number from 1 to "
                  "1000000000",
                  "OTEL_METRIC_EXPORT_INTERVAL=10s is ignored: expected a whole number from 1 to "
                  "1000000000"));
}

TEST(TelemetrySettingsTest, ReadsSizesAndTimes) {
  const TelemetrySettings settings = Read({{"OTEL_BSP_MAX_QUEUE_SIZE", "10"},
                                           {"OTEL_BSP_SCHEDULE_DELAY", "7"},
                                           {"OTEL_BLRP_MAX_EXPORT_BATCH_SIZE", "3"},
                                           {"OTEL_METRIC_EXPORT_INTERVAL", "1000"}});
  EXPECT_EQ(settings.spans.queue_max, 10u);
  EXPECT_EQ(settings.spans.batch_max, 10u) << "a batch is never larger than the queue";
  EXPECT_EQ(settings.spans.delay, 7ms);
  EXPECT_EQ(settings.records.batch_max, 3u);
  EXPECT_EQ(settings.metric_interval, 1000ms);
  EXPECT_EQ(settings.metric_timeout, 500ms) << "the SDK wants it to be less than the interval";
}

}  // namespace
}  // namespace foretell::agent
