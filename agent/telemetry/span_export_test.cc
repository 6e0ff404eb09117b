#include "foretell/agent/telemetry/span_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/agent/telemetry/testing/otlp_collector.h"

namespace foretell::agent {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

// Sets a variable of the process, as the SDK reads it itself.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

SpanExport Options() {
  return {.service_name = "foretell-hypothetical",
          .version = "1",
          .start = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000)),
          .environment = ProcessEnvironment,
          .timeout = std::chrono::minutes(1)};
}

// More spans than the queue of the environment takes.
SpanTree Root(size_t children) {
  SpanTree root{.name = "root"};
  for (size_t i = 0; i < children; ++i) {
    root.children.push_back({.name = "step", .attributes = {{"foretell.hypothetical", true}}});
  }
  return root;
}

TEST(SpanExportTest, SaysThatThereIsNoPlace) {
  const auto sent = ExportSpans(Root(1), Options());
  EXPECT_EQ(sent.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(sent.status().message()), HasSubstr("OTEL_EXPORTER_OTLP_ENDPOINT"));
}

TEST(SpanExportTest, SendsEverySpanUnderItsOwnName) {
  const auto collector = OtlpCollector::Http();
  const Variable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", collector->endpoint());
  const Variable name("OTEL_SERVICE_NAME", "the-real-thing");
  const Variable queue("OTEL_BSP_MAX_QUEUE_SIZE", "16");
  const auto sent = ExportSpans(Root(100), Options());
  ASSERT_TRUE(sent.ok()) << sent.status();
  EXPECT_EQ(*sent, "traces otlp (http/protobuf)");
  const Received received = collector->received();
  ASSERT_EQ(received.spans.size(), 101u);
  for (const ReceivedSpan& span : received.spans) {
    EXPECT_THAT(span.resource, Contains(Pair("service.name", "foretell-hypothetical")));
  }
  EXPECT_TRUE(received.points.empty());
}

TEST(SpanExportTest, SaysThatSpansWereRefused) {
  const auto collector = OtlpCollector::Grpc();
  collector->Refuse(1);
  const Variable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", collector->endpoint());
  const Variable protocol("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc");
  const auto sent = ExportSpans(Root(1), Options());
  EXPECT_EQ(sent.status().message(), "spans did not arrive, traces otlp (grpc)");
}

TEST(SpanExportTest, SaysThatNobodyListens) {
  auto collector = OtlpCollector::Http();
  const Variable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", collector->endpoint());
  collector.reset();
  const auto sent = ExportSpans(Root(1), Options());
  EXPECT_EQ(sent.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(sent.status().message()), HasSubstr("spans did not arrive"));
}

}  // namespace
}  // namespace foretell::agent
