#include "foretell/agent/telemetry/export/pipelines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <opentelemetry/exporters/memory/in_memory_metric_data.h>
#include <opentelemetry/exporters/memory/in_memory_metric_exporter_factory.h>
#include <opentelemetry/exporters/memory/in_memory_span_exporter.h>
#include <opentelemetry/sdk/metrics/push_metric_exporter.h>
#include <opentelemetry/sdk/resource/resource.h>
#include <opentelemetry/sdk/trace/exporter.h>

#include <condition_variable>
#include <mutex>

namespace foretell::agent {
namespace {

namespace memory = opentelemetry::exporter::memory;
using opentelemetry::sdk::common::ExportResult;
using std::chrono_literals::operator""ms;
using testing::ElementsAre;

double Dropped(const Registry& registry) {
  double sum = 0;
  for (const auto& series : registry.Values(metrics::kTelemetryDropped)) sum += series.value;
  return sum;
}

// An exporter that works when it is told to.
class SlowExporter final : public otel::trace::SpanExporter {
 public:
  struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    bool entered = false;
  };
  explicit SlowExporter(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
  std::unique_ptr<otel::trace::Recordable> MakeRecordable() noexcept override {
    return memory_.MakeRecordable();
  }
  ExportResult Export(
      const opentelemetry::nostd::span<std::unique_ptr<otel::trace::Recordable>>&) noexcept
      override {
    std::unique_lock lock(gate_->mutex);
    gate_->entered = true;
    gate_->changed.notify_all();
    gate_->changed.wait(lock, [this] { return gate_->open; });
    return ExportResult::kFailure;
  }
  bool ForceFlush(std::chrono::microseconds) noexcept override { return true; }
  bool Shutdown(std::chrono::microseconds) noexcept override { return true; }

 private:
  memory::InMemorySpanExporter memory_{1};
  const std::shared_ptr<Gate> gate_;
};

TEST(TelemetryPipelinesTest, TheQueueIsBoundedAndEveryLossIsCountedOnce) {
  const auto registry = std::make_shared<Registry>();
  const BatchSettings batch{.queue_max = 4, .batch_max = 2, .delay = 1ms};
  const auto delivery = std::make_shared<Delivery>(Signal::kTraces, batch.queue_max, registry);
  const auto gate = std::make_shared<SlowExporter::Gate>();
  auto traces = Traces::Start(std::make_unique<SlowExporter>(gate), batch, delivery,
                              otel::resource::Resource::Create({}));
  const auto report = [&] {
    traces->Begin("round", {});
    traces->End({.name = "round"});
  };
  report();
  {
    std::unique_lock lock(gate->mutex);
    gate->changed.wait(lock, [&] { return gate->entered; });
  }
  // One span is with the exporter and counts, so three have room.
  for (int i = 0; i < 10; ++i) report();
  EXPECT_EQ(delivery->queued(), 4u);
  EXPECT_EQ(Dropped(*registry), 7);
  {
    const std::lock_guard lock(gate->mutex);
    gate->open = true;
    gate->changed.notify_all();
  }
  traces.reset();
  EXPECT_EQ(delivery->queued(), 0u);
  EXPECT_EQ(Dropped(*registry), 11) << "what the exporter failed to deliver is lost as well";
}

TEST(TelemetryPipelinesTest, SpansReachTheExporterAsTheyWereReported) {
  const auto registry = std::make_shared<Registry>();
  const auto delivery = std::make_shared<Delivery>(Signal::kTraces, 100, registry);
  auto exporter = std::make_unique<memory::InMemorySpanExporter>(100);
  const auto data = exporter->GetData();
  auto traces =
      Traces::Start(std::move(exporter), {}, delivery, otel::resource::Resource::Create({}));
  traces->Begin("round", std::chrono::system_clock::time_point(5000ms));
  traces->End({.name = "round",
               .timing = {.duration = 100ms},
               .children = {{.name = "part", .timing = {.offset = 10ms, .duration = 20ms}}}});
  traces.reset();
  const auto spans = data->GetSpans();
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_EQ(spans[0]->GetName(), "part");
  EXPECT_EQ(spans[0]->GetStartTime().time_since_epoch(), 5010ms);
  EXPECT_EQ(spans[0]->GetDuration(), 20ms);
  EXPECT_EQ(spans[0]->GetParentSpanId(), spans[1]->GetSpanId());
  EXPECT_EQ(spans[1]->GetDuration(), 100ms);
}

TEST(TelemetryPipelinesTest, CountersAndGaugesAreObservedInTheRegistry) {
  const auto registry = std::make_shared<Registry>();
  const auto delivery = std::make_shared<Delivery>(Signal::kMetrics, 0, registry);
  const auto data = std::make_shared<memory::SimpleAggregateInMemoryMetricData>();
  auto meters = Meters::Start(memory::InMemoryMetricExporterFactory::Create(data), {}, delivery,
                              registry, otel::resource::Resource::Create({}));
  registry->Add(metrics::kRounds, {{"foretell.outcome", "ok"}}, 3);
  registry->Set(metrics::kDepth, {}, 7.5);
  meters->Record(metrics::kRoundDuration, {}, 0.3);
  meters.reset();
  using opentelemetry::nostd::get;
  const auto& rounds = data->Get("foretell.agent", "foretell.rounds");
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(get<int64_t>(get<otel::metrics::SumPointData>(rounds.begin()->second).value_), 3);
  const auto& depth = data->Get("foretell.agent", "foretell.depth");
  ASSERT_EQ(depth.size(), 1u);
  EXPECT_EQ(get<double>(get<otel::metrics::LastValuePointData>(depth.begin()->second).value_), 7.5);
  const auto& duration = data->Get("foretell.agent", "foretell.round.duration");
  ASSERT_EQ(duration.size(), 1u);
  EXPECT_EQ(get<otel::metrics::HistogramPointData>(duration.begin()->second).count_, 1u);
}

TEST(TelemetryPipelinesTest, ClosingCallsWhatWasLeftForIt) {
  Delivery delivery(Signal::kLogs, 1, std::make_shared<Registry>());
  int calls = 0;
  delivery.OnClose([&] { ++calls; });
  delivery.Close();
  EXPECT_TRUE(delivery.closed());
  EXPECT_EQ(calls, 1);
  delivery.OnClose([&] { calls += 10; });
  EXPECT_EQ(calls, 11) << "closed already, so at once";
}

TEST(RareLinesTest, LetsOneLineAMinuteThrough) {
  std::vector<std::string> lines;
  RareLines::Time now{};
  RareLines rare([&](const std::string& line) { lines.push_back(line); }, [&] { return now; });
  rare.Write("a");
  rare.Write("b");
  now += std::chrono::seconds(59);
  rare.Write("c");
  now += std::chrono::seconds(1);
  rare.Write("d");
  now += std::chrono::minutes(2);
  rare.Write("e");
  rare.Close();
  now += std::chrono::minutes(2);
  rare.Write("f");
  EXPECT_THAT(lines, ElementsAre("a", "d (2 lines left out)", "e"));
}

}  // namespace
}  // namespace foretell::agent
