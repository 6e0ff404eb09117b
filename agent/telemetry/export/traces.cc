#include "foretell/agent/telemetry/export/traces.h"

#include <opentelemetry/sdk/resource/resource.h>
#include <opentelemetry/sdk/trace/batch_span_processor.h>
#include <opentelemetry/sdk/trace/exporter.h>
#include <opentelemetry/sdk/trace/tracer_provider.h>
#include <opentelemetry/trace/span.h>
#include <opentelemetry/trace/span_startoptions.h>
#include <opentelemetry/trace/tracer.h>

#include <algorithm>
#include <utility>

#include "foretell/agent/telemetry/export/counted.h"
#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

namespace nostd = opentelemetry::nostd;
namespace trace = opentelemetry::trace;
using opentelemetry::common::SteadyTimestamp;
using opentelemetry::common::SystemTimestamp;
using opentelemetry::sdk::common::ExportResult;
using SystemTime = std::chrono::system_clock::time_point;
using Recordables = nostd::span<std::unique_ptr<otel::trace::Recordable>>;

// The SDK takes durations from the steady clock, and zero for "now". Only differences count, so
// every round starts at this moment of it.
constexpr std::chrono::steady_clock::time_point kSteadyStart{std::chrono::hours(1)};

using Exporter =
    CountedExporter<otel::trace::SpanExporter, otel::trace::Recordable, Recordables, ExportResult>;

// The SDK's processor drops silently when its queue is full; here the books are asked first.
class CountedProcessor final : public otel::trace::BatchSpanProcessor {
 public:
  CountedProcessor(std::unique_ptr<otel::trace::SpanExporter> exporter,
                   const otel::trace::BatchSpanProcessorOptions& options,
                   std::shared_ptr<Delivery> delivery)
      : BatchSpanProcessor(std::make_unique<Exporter>(std::move(exporter), delivery), options),
        delivery_(std::move(delivery)) {}

  void OnEnd(std::unique_ptr<otel::trace::Recordable>&& span) noexcept override {
    if (delivery_->Enter()) BatchSpanProcessor::OnEnd(std::move(span));
  }

 private:
  const std::shared_ptr<Delivery> delivery_;
};

trace::StartSpanOptions StartOptions(SystemTime round_start, const Timing& timing, bool client) {
  trace::StartSpanOptions options;
  options.start_system_time = SystemTimestamp(
      round_start + std::chrono::duration_cast<SystemTime::duration>(timing.offset));
  options.start_steady_time = SteadyTimestamp(kSteadyStart + timing.offset);
  options.kind = client ? trace::SpanKind::kClient : trace::SpanKind::kInternal;
  return options;
}

void Finish(const SpanTree& tree, trace::Span& span) {
  SetAttributes<nostd::string_view>(tree.attributes, span);
  if (!tree.error.empty()) span.SetStatus(trace::StatusCode::kError, tree.error);
  trace::EndSpanOptions options;
  options.end_steady_time =
      SteadyTimestamp(kSteadyStart + tree.timing.offset + tree.timing.duration);
  span.End(options);
}

class TracesImpl final : public Traces {
 public:
  TracesImpl(std::unique_ptr<otel::trace::SpanExporter> exporter, const BatchSettings& batch,
             std::shared_ptr<Delivery> delivery, const otel::resource::Resource& resource)
      : provider_(MakeProcessor(std::move(exporter), batch, std::move(delivery)), resource),
        tracer_(provider_.GetTracer("foretell.agent")) {}

  ~TracesImpl() override { GiveUp(); }

  TraceIds Begin(const std::string& name, SystemTime start) override {
    GiveUp();
    start_ = start;
    root_ = tracer_->StartSpan(name, StartOptions(start, {}, false));
    TraceIds ids;
    const trace::SpanContext context = root_->GetContext();
    std::copy_n(context.trace_id().Id().data(), ids.trace.size(), ids.trace.begin());
    std::copy_n(context.span_id().Id().data(), ids.span.size(), ids.span.begin());
    return ids;
  }

  void End(const SpanTree& root) override {
    FORETELL_CHECK(root_ != nullptr);
    for (const SpanTree& child : root.children) Add(child, *root_);
    Finish(root, *root_);
    root_ = nullptr;
  }

 private:
  static std::unique_ptr<otel::trace::SpanProcessor> MakeProcessor(
      std::unique_ptr<otel::trace::SpanExporter> exporter, const BatchSettings& batch,
      std::shared_ptr<Delivery> delivery) {
    otel::trace::BatchSpanProcessorOptions options;
    options.max_queue_size = batch.queue_max;
    options.max_export_batch_size = batch.batch_max;
    options.schedule_delay_millis = batch.delay;
    return std::make_unique<CountedProcessor>(std::move(exporter), options, std::move(delivery));
  }

  void Add(const SpanTree& tree, const trace::Span& parent) {
    trace::StartSpanOptions options = StartOptions(start_, tree.timing, tree.client);
    options.parent = parent.GetContext();
    const nostd::shared_ptr<trace::Span> span = tracer_->StartSpan(tree.name, options);
    for (const SpanTree& child : tree.children) Add(child, *span);
    Finish(tree, *span);
  }

  void GiveUp() {
    if (root_ == nullptr) return;
    Finish({.error = "the end of the round was not reported"}, *root_);
    root_ = nullptr;
  }

  otel::trace::TracerProvider provider_;
  nostd::shared_ptr<trace::Tracer> tracer_;
  nostd::shared_ptr<trace::Span> root_;  // Of the round under way.
  SystemTime start_;                     // Of the round last begun.
};

}  // namespace

std::unique_ptr<Traces> Traces::Start(std::unique_ptr<otel::trace::SpanExporter> exporter,
                                      const BatchSettings& batch,
                                      std::shared_ptr<Delivery> delivery,
                                      const otel::resource::Resource& resource) {
  return std::make_unique<TracesImpl>(std::move(exporter), batch, std::move(delivery), resource);
}

}  // namespace foretell::agent
