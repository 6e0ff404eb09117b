#include "foretell/agent/telemetry/telemetry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <sstream>
#include <thread>

#include "foretell/agent/telemetry/testing/otlp_collector.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Pair;
using testing::SizeIs;

// Sets variables of the process, as the SDK reads them itself, for as long as it lives. The tests
// have no other thread when they make or end one.
class Variables {
 public:
  explicit Variables(TextMap values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  TextMap values_;
};

class Lines {
 public:
  std::function<void(const std::string&)> writer() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

std::unique_ptr<Telemetry> Start(Lines& lines, std::chrono::milliseconds shutdown = 60'000ms,
                                 std::ostream* console = nullptr) {
  auto telemetry = Telemetry::Start({.version = "1.2.3",
                                     .environment = ProcessEnvironment,
                                     .log = lines.writer(),
                                     .console = console,
                                     .shutdown_timeout = shutdown});
  EXPECT_TRUE(telemetry.ok()) << telemetry.status();
  return *std::move(telemetry);
}

constexpr uint64_t kStartNanos = 1'700'000'000'000'000'000;

RoundRecord SampleRound(uint64_t number) {
  RoundRecord round{.number = number, .duration = 500ms};
  round.start = std::chrono::system_clock::time_point(std::chrono::nanoseconds(kStartNanos));
  round.collect = Timing{.offset = 1ms, .duration = 40ms};
  round.nodes = {{.node = 0, .timing = {.offset = 2ms, .duration = 10ms}, .bytes = 100},
                 {.node = 1, .timing = {.offset = 2ms, .duration = 12ms}, .unchanged = true},
                 {.node = 2,
                  .answer = NodeAnswer::kDeadlineExceeded,
                  .timing = {.offset = 2ms, .duration = 39ms}}};
  round.snapshot = SnapshotRecord{.bytes = 5000, .age = 450ms, .absent = 1, .exact = false};
  round.predict = Timing{.offset = 50ms, .duration = 400ms};
  round.engines = {{.engine = "por",
                    .space = "2 proposals",
                    .timing = {.offset = 50ms, .duration = 200ms},
                    .outcome = model::Outcome::kViolation,
                    .states = 1000,
                    .transitions = 4000,
                    .depth = 17,
                    .handler_executions = 100}};
  round.predictions = 1;
  round.filters = 2;
  return round;
}

const ViolationEvent kViolation{.invariant = "agreement",
                                .engine = "por",
                                .mode = snapshot::Mode::kEnforce,
                                .steps_away = 17,
                                .node = 2,
                                .bundle = "/var/lib/foretell/b7.bundle",
                                .decision = "d-7",
                                .text = "agreement will be violated in 17 steps"};
const VetoEvent kVeto{.decision = "d-7",
                      .invariant = "agreement",
                      .mode = snapshot::Mode::kEnforce,
                      .kind = snapshot::FilterKind::kDrop,
                      .node = 2,
                      .lease = 1500ms,
                      .end = VetoEnd::kLease,
                      .text = "drop Accept from 1"};

void ReportAll(Telemetry& telemetry) {
  const RoundRecord round = SampleRound(7);
  telemetry.RoundStarted(round.number, round.start);
  telemetry.SnapshotRejected(
      {.snapshot = 8, .fault = SnapshotFault::kInconsistent, .text = "orphan"});
  telemetry.Violation(kViolation);
  telemetry.VetoApplied(kVeto);
  telemetry.Round(round);
  telemetry.VetoExpired(kVeto);
}

const ReceivedSpan* Find(const Received& received, const std::string& name) {
  for (const ReceivedSpan& span : received.spans) {
    if (span.name == name) return &span;
  }
  return nullptr;
}

void ExpectSpanTree(const Received& received) {
  ASSERT_THAT(received.spans, SizeIs(7));
  const ReceivedSpan* root = Find(received, "foretell.round");
  const ReceivedSpan* collect = Find(received, "foretell.collect");
  const ReceivedSpan* predict = Find(received, "foretell.predict");
  const ReceivedSpan* engine = Find(received, "foretell.engine");
  ASSERT_TRUE(root != nullptr && collect != nullptr && predict != nullptr && engine != nullptr);
  EXPECT_EQ(root->parent, "");
  EXPECT_EQ(root->start, kStartNanos);
  EXPECT_EQ(root->end - root->start, 500'000'000u);
  EXPECT_THAT(root->attributes,
              IsSupersetOf({Pair("foretell.round.number", "7"), Pair("foretell.outcome", "ok"),
                            Pair("foretell.vetoes.active", "2")}));
  EXPECT_EQ(collect->parent, root->id);
  EXPECT_EQ(collect->start - root->start, 1'000'000u);
  EXPECT_THAT(collect->attributes, Contains(Pair("foretell.snapshot.exact", "false")));
  EXPECT_EQ(predict->parent, root->id);
  EXPECT_EQ(engine->parent, predict->id);
  EXPECT_EQ(engine->start - root->start, 50'000'000u);
  EXPECT_EQ(engine->end - engine->start, 200'000'000u);
  EXPECT_THAT(engine->attributes,
              IsSupersetOf({Pair("foretell.engine", "por"), Pair("foretell.states", "1000"),
                            Pair("foretell.space", "2 proposals"),
                            Pair("foretell.memo.hit_ratio", "0.975")}));
  std::map<std::string, std::string> errors;  // By node.
  for (const ReceivedSpan& span : received.spans) {
    EXPECT_EQ(span.trace, root->trace) << span.name;
    EXPECT_THAT(span.resource, IsSupersetOf({Pair("service.name", "foretell-agent"),
                                             Pair("service.version", "1.2.3")}));
    if (span.name != "foretell.checkpoint") continue;
    EXPECT_EQ(span.parent, collect->id);
    EXPECT_TRUE(span.client);
    errors[span.attributes.at("foretell.node.id")] = span.error;
  }
  EXPECT_EQ(errors, (TextMap{{"0", ""}, {"1", ""}, {"2", "!deadline_exceeded"}}));
}

void ExpectEvents(const Received& received) {
  std::map<std::string, ReceivedLog> logs;
  for (const ReceivedLog& log : received.logs) logs[log.event_name] = log;
  ASSERT_THAT(logs, SizeIs(4));
  const ReceivedSpan* root = Find(received, "foretell.round");
  ASSERT_NE(root, nullptr);
  for (const auto& [name, log] : logs) {
    EXPECT_EQ(log.attributes.at("event.name"), name);
    EXPECT_EQ(log.trace, root->trace) << name;
    EXPECT_EQ(log.span, root->id) << name;
    EXPECT_THAT(log.resource, Contains(Pair("service.name", "foretell-agent")));
  }
  const ReceivedLog& violation = logs["foretell.violation.predicted"];
  EXPECT_EQ(violation.severity, "ERROR");
  EXPECT_EQ(violation.body, "agreement will be violated in 17 steps");
  EXPECT_EQ(violation.attributes,
            (TextMap{{"event.name", "foretell.violation.predicted"},
                     {"foretell.invariant", "agreement"},
                     {"foretell.engine", "por"},
                     {"foretell.mode", "enforce"},
                     {"foretell.steps_away", "17"},
                     {"foretell.node.id", "2"},
                     {"foretell.decision.id", "d-7"},
                     {"foretell.bundle.path", "/var/lib/foretell/b7.bundle"}}));
  EXPECT_THAT(
      logs["foretell.veto.applied"].attributes,
      IsSupersetOf({Pair("foretell.veto.lease", "1.5"), Pair("foretell.filter.kind", "drop"),
                    Pair("foretell.decision.id", "d-7")}));
  EXPECT_THAT(logs["foretell.veto.expired"].attributes, Contains(Pair("foretell.reason", "lease")));
  EXPECT_THAT(logs["foretell.snapshot.rejected"].attributes,
              IsSupersetOf({Pair("foretell.snapshot.number", "8"),
                            Pair("foretell.reason", "inconsistent")}));
}

ReceivedPoint Only(const Received& received, const std::string& name) {
  EXPECT_EQ(received.points.count(name), 1u) << name;
  const auto found = received.points.find(name);
  return found == received.points.end() ? ReceivedPoint() : found->second;
}

void ExpectMetrics(const Received& received) {
  const ReceivedPoint rounds = Only(received, "foretell.rounds");
  EXPECT_EQ(rounds.kind, "sum");
  EXPECT_EQ(rounds.value, 1);
  EXPECT_EQ(rounds.unit, "{round}");
  EXPECT_EQ(rounds.attributes, (TextMap{{"foretell.outcome", "ok"}}));
  EXPECT_THAT(rounds.resource, Contains(Pair("service.name", "foretell-agent")));
  const ReceivedPoint duration = Only(received, "foretell.round.duration");
  EXPECT_EQ(duration.kind, "histogram");
  EXPECT_EQ(duration.count, 1u);
  EXPECT_EQ(duration.value, 0.5);
  EXPECT_EQ(duration.bounds, std::vector<double>(MetricOf(metrics::kRoundDuration).bounds.begin(),
                                                 MetricOf(metrics::kRoundDuration).bounds.end()));
  EXPECT_EQ(Only(received, "foretell.snapshot.size").value, 5000);
  EXPECT_EQ(Only(received, "foretell.snapshot.age").value, 0.45);
  EXPECT_EQ(Only(received, "foretell.snapshot.age").kind, "gauge");
  EXPECT_EQ(Only(received, "foretell.states").value, 1000);
  EXPECT_EQ(Only(received, "foretell.state.rate").value, 5000);
  EXPECT_EQ(Only(received, "foretell.handler.executions").value, 100);
  EXPECT_EQ(Only(received, "foretell.memo.hit_ratio").value, 0.975);
  EXPECT_EQ(Only(received, "foretell.predictions").value, 1);
  EXPECT_EQ(Only(received, "foretell.vetoes").attributes,
            (TextMap{{"foretell.invariant", "agreement"}, {"foretell.mode", "enforce"}}));
  EXPECT_EQ(received.points.count("foretell.node.up"), 3u);
}

struct Way {
  const char* protocol;
  std::unique_ptr<OtlpCollector> (*start)(uint16_t);
  const char* content_type;
};

class TelemetryOtlpTest : public testing::TestWithParam<Way> {
 protected:
  // Everything goes to the collector, in batches that only the end of Telemetry makes.
  TextMap Everything() const {
    return {{"OTEL_EXPORTER_OTLP_ENDPOINT", collector_->endpoint()},
            {"OTEL_EXPORTER_OTLP_PROTOCOL", GetParam().protocol}};
  }
  std::unique_ptr<OtlpCollector> collector_ = GetParam().start(0);
  Lines lines_;
};

TEST_P(TelemetryOtlpTest, WhatArrivesIsWhatWasReported) {
  {
    const Variables variables(Everything());
    const auto telemetry = Start(lines_);
    EXPECT_THAT(telemetry->Describe(),
                HasSubstr(std::string("traces otlp (") + GetParam().protocol + ")"));
    ReportAll(*telemetry);
  }
  const Received received = collector_->received();
  EXPECT_THAT(received.errors, IsEmpty());
  ExpectSpanTree(received);
  ExpectEvents(received);
  ExpectMetrics(received);
  EXPECT_THAT(lines_.all(), IsEmpty());
  if (*GetParam().content_type != '\0') {
    EXPECT_THAT(received.content_types, testing::Each(std::string(GetParam().content_type)));
  }
}

TEST_P(TelemetryOtlpTest, ResourceComesFromTheEnvironment) {
  {
    auto values = Everything();
    values["OTEL_SERVICE_NAME"] = "watcher";
    values["OTEL_RESOURCE_ATTRIBUTES"] = "deployment.environment=test,service.version=9";
    values["OTEL_METRICS_EXPORTER"] = "none";
    const Variables variables(values);
    const auto telemetry = Start(lines_);
    telemetry->Round(SampleRound(1));
  }
  const Received received = collector_->received();
  ASSERT_THAT(received.spans, SizeIs(7));
  EXPECT_THAT(received.spans[0].resource,
              IsSupersetOf({Pair("service.name", "watcher"), Pair("service.version", "9"),
                            Pair("deployment.environment", "test")}));
  EXPECT_THAT(received.points, IsEmpty());
}

TEST_P(TelemetryOtlpTest, AnEndpointThatHangsHoldsUpNobody) {
  collector_->Hang();
  auto values = Everything();
  values["OTEL_EXPORTER_OTLP_TIMEOUT"] = "3600s";
  values["OTEL_BSP_SCHEDULE_DELAY"] = "1";
  values["OTEL_BSP_MAX_QUEUE_SIZE"] = "50";
  const Variables variables(values);
  auto telemetry = Start(lines_, 200ms);
  telemetry->Round(SampleRound(1));
  ASSERT_TRUE(collector_->WaitUntil([](const Received& r) { return r.requests > 0; }));
  // The exporter is stuck now. 100 rounds are 700 spans, for which there is no room.
  for (uint64_t i = 2; i < 100; ++i) telemetry->Round(SampleRound(i));
  EXPECT_GE(telemetry->dropped(), 700u - 7 * 7 - 50);
  // With an hour to wait for each request, this ends only because nobody waits.
  telemetry.reset();
  EXPECT_THAT(lines_.all(), Contains(HasSubstr("items were dropped")));
  EXPECT_THAT(collector_->received().spans, IsEmpty());
}

TEST_P(TelemetryOtlpTest, AnEndpointThatRefusesIsCounted) {
  auto values = Everything();
  collector_.reset();  // Nobody listens there any more.
  values["OTEL_METRICS_EXPORTER"] = "none";
  values["OTEL_EXPORTER_OTLP_TIMEOUT"] = "100ms";
  const Variables variables(values);
  auto telemetry = Start(lines_);
  ReportAll(*telemetry);
  Registry* registry = &telemetry->registry();
  EXPECT_THAT(registry->Text(), HasSubstr("foretell_rounds_total{foretell_outcome=\"ok\"} 1"));
  telemetry.reset();
  // 7 spans and 4 log records; two requests failed, but there is one line a minute.
  EXPECT_THAT(lines_.all(), SizeIs(2));
  EXPECT_THAT(lines_.all(), Contains("telemetry: 11 items were dropped"));
}

TEST_P(TelemetryOtlpTest, AnEndpointThatComesBackIsUsedAgain) {
  auto values = Everything();
  const uint16_t port = collector_->port();
  collector_.reset();
  values["OTEL_METRICS_EXPORTER"] = "none";
  values["OTEL_LOGS_EXPORTER"] = "none";
  values["OTEL_BSP_SCHEDULE_DELAY"] = "1";
  // Not so short that a request counts as lost which the collector has got.
  values["OTEL_EXPORTER_OTLP_TIMEOUT"] = "60s";
  const Variables variables(values);
  const auto telemetry = Start(lines_);
  telemetry->Round(SampleRound(1));
  while (telemetry->dropped() < 7) std::this_thread::yield();
  collector_ = GetParam().start(port);
  ASSERT_EQ(collector_->port(), port);
  // A transport may wait a little before it tries to connect again.
  uint64_t round = 2;
  for (; collector_->received().spans.empty(); ++round) {
    const uint64_t dropped = telemetry->dropped();
    telemetry->Round(SampleRound(round));
    while (telemetry->dropped() == dropped && collector_->received().spans.empty()) {
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(telemetry->dropped(), 7 * (round - 2));
}

// A socket that takes connections and never says anything. Returns its port.
uint16_t ListenSilently() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(fd, generic, length) != 0 || listen(fd, 16) != 0) return 0;
  return getsockname(fd, generic, &length) == 0 ? ntohs(address.sin_port) : 0;
}

// What a process does whose endpoint hangs when it ends: a thread may be left behind, and exit()
// takes away all that is static.
[[noreturn]] void EndWithASilentEndpoint(TextMap values) {
  alarm(60);  // Instead of waiting for an hour.
  values["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://127.0.0.1:" + std::to_string(ListenSilently());
  values["OTEL_EXPORTER_OTLP_TIMEOUT"] = "3600s";
  values["OTEL_BSP_SCHEDULE_DELAY"] = "1";
  const Variables variables(values);
  Lines lines;
  auto telemetry = Start(lines, 400ms);
  ReportAll(*telemetry);
  telemetry.reset();
  std::exit(0);
}

TEST_P(TelemetryOtlpTest, AProcessEndsWhileItsEndpointHangs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(EndWithASilentEndpoint(Everything()), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(
    Protocols, TelemetryOtlpTest,
    testing::Values(Way{"grpc", &OtlpCollector::Grpc, ""},
                    Way{"http/protobuf", &OtlpCollector::Http, "application/x-protobuf"},
                    Way{"http/json", &OtlpCollector::Http, "application/json"}),
    [](const testing::TestParamInfo<Way>& way) {
      std::string name = way.param.protocol;
      std::erase(name, '/');
      return name;
    });

TEST(TelemetryTest, RejectedItemsAreCounted) {
  const auto collector = OtlpCollector::Grpc();
  collector->Refuse(3);
  Lines lines;
  const Variables variables(TextMap{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector->endpoint()},
                                    {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}});
  auto telemetry = Start(lines);
  telemetry->Round(SampleRound(1));
  telemetry.reset();
  EXPECT_THAT(lines.all(), testing::ElementsAre("telemetry: 3 items were dropped"));
}

TEST(TelemetryTest, NothingIsExportedByDefaultButMetricsAreKept) {
  Lines lines;
  const auto telemetry = Start(lines);
  EXPECT_EQ(telemetry->Describe(), "traces none, metrics none, logs none");
  ReportAll(*telemetry);
  EXPECT_THAT(telemetry->registry().Text(),
              AllOf(HasSubstr("foretell_predictions_total{foretell_engine=\"por\",foretell_"
                              "invariant=\"agreement\",foretell_mode=\"enforce\"} 1"),
                    HasSubstr("foretell_node_up{foretell_node_id=\"2\"} 0")));
  EXPECT_EQ(telemetry->dropped(), 0u);
}

TEST(TelemetryTest, ConsoleWritesWhereItIsTold) {
  std::ostringstream console;
  Lines lines;
  {
    const Variables variables(TextMap{{"OTEL_TRACES_EXPORTER", "console"},
                                      {"OTEL_LOGS_EXPORTER", "console"},
                                      {"OTEL_METRICS_EXPORTER", "console"}});
    const auto telemetry = Start(lines, 60'000ms, &console);
    ReportAll(*telemetry);
  }
  EXPECT_THAT(console.str(),
              AllOf(HasSubstr("foretell.checkpoint"), HasSubstr("foretell.violation.predicted"),
                    HasSubstr("agreement will be violated in 17 steps"),
                    HasSubstr("foretell.round.duration")));
}

TEST(TelemetryTest, ABadVariableIsToldAndIgnored) {
  Lines lines;
  const Variables variables(TextMap{{"OTEL_TRACES_EXPORTER", "zipkin"}});
  const auto telemetry = Start(lines);
  EXPECT_THAT(lines.all(), Contains(HasSubstr("OTEL_TRACES_EXPORTER=zipkin is ignored")));
}

TEST(TelemetryTest, ARoundWhoseEndWasNotReportedIsAnError) {
  const auto collector = OtlpCollector::Http();
  Lines lines;
  {
    const Variables variables(TextMap{{"OTEL_EXPORTER_OTLP_ENDPOINT", collector->endpoint()}});
    const auto telemetry = Start(lines);
    const RoundRecord round = SampleRound(2);
    telemetry->RoundStarted(1, round.start);
    telemetry->Round(round);
    telemetry->RoundStarted(3, round.start);
  }
  size_t given_up = 0;
  for (const ReceivedSpan& span : collector->received().spans) {
    if (span.error != "!the end of the round was not reported") continue;
    ++given_up;
    EXPECT_EQ(span.start, span.end);
  }
  EXPECT_EQ(given_up, 2u);
}

}  // namespace
}  // namespace foretell::agent
