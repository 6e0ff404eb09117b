#include "foretell/agent/telemetry/telemetry.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/telemetry/export/pipelines.h"
#include "foretell/agent/telemetry/signals/metric_recorder.h"
#include "foretell/agent/telemetry/signals/spans.h"
#include "foretell/model/check.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

class TelemetryImpl final : public Telemetry {
 public:
  TelemetryImpl(TelemetryOptions options, TelemetrySettings settings)
      : options_(std::move(options)),
        description_(ToString(settings)),
        registry_(std::make_shared<Registry>(options_.watched)),
        lines_(std::make_shared<RareLines>(options_.log,
                                           [] { return std::chrono::steady_clock::now(); })),
        pipelines_(StartPipelines({.settings = std::move(settings),
                                   .service_name = options_.service_name,
                                   .version = options_.version,
                                   .watched = options_.watched,
                                   .console = options_.console ? *options_.console : std::cerr,
                                   .turns = std::make_shared<model::Mutex>(),
                                   .registry = registry_,
                                   .lines = lines_})),
        figures_(*registry_, [this](MetricId metric, const Labels& labels, double value)
                                 ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
                                   if (!pipelines_.meters.signal) return;
                                   pipelines_.meters.signal->Record(metric, labels, value);
                                 }) {
    registry_->Set(metrics::kBuildInfo, {{"foretell.version", options_.version}}, 1);
  }

  ~TelemetryImpl() override {
    const bool closed = ClosePipelines(std::move(pipelines_), options_.shutdown_timeout);
    lines_->Close();
    if (!closed) options_.log("telemetry: gave up on an endpoint that does not answer");
    if (dropped() > 0) options_.log(absl::StrCat("telemetry: ", dropped(), " items were dropped"));
  }

  void RoundStarted(uint64_t number,
                    std::chrono::system_clock::time_point start) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { Begin(number, start); });
  }

  void Round(const RoundRecord& round) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      figures_.Round(round);
      if (!pipelines_.traces.signal) return;
      if (round_ != round.number) Begin(round.number, round.start);
      pipelines_.traces.signal->End(RoundSpans(round));
      round_.reset();
    });
  }

  void Violation(const ViolationEvent& event) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      figures_.Violation(event);
      Emit(ViolationRecord(event));
    });
  }
  void ViolationResolved(const ResolvedEvent& event) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      figures_.Resolved(event);
      Emit(ViolationResolvedRecord(event));
    });
  }
  void VetoApplied(const VetoEvent& event) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      figures_.VetoApplied(event);
      Emit(VetoAppliedRecord(event));
    });
  }
  void VetoExpired(const VetoEvent& event) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { Emit(VetoExpiredRecord(event)); });
  }
  void SnapshotRejected(const RejectedSnapshotEvent& event) noexcept override {
    Guarded([&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      figures_.SnapshotRejected(event);
      Emit(SnapshotRejectedRecord(event));
    });
  }
  void Counters(uint32_t node, const snapshot::NodeCounters& counters,
                std::chrono::steady_clock::time_point now) noexcept override {
    Guarded([&]()
                ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { figures_.Counters(node, counters, now); });
  }

  Registry& registry() noexcept override { return *registry_; }

  uint64_t dropped() const noexcept override {
    double sum = 0;
    for (const auto& series : registry_->Values(metrics::kTelemetryDropped)) sum += series.value;
    return static_cast<uint64_t>(sum);
  }

  std::string Describe() const override { return description_; }

 private:
  // Whatever a library throws ends here: telemetry is never a reason for a round to fail.
  template <class Work>
  void Guarded(const Work& work) noexcept ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    try {
      work();
    } catch (const std::exception& error) {
      lines_->Write(std::string("telemetry: ") + error.what());
    }
  }

  void Begin(uint64_t number, std::chrono::system_clock::time_point start)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    round_ = number;
    if (pipelines_.traces.signal) ids_ = pipelines_.traces.signal->Begin("foretell.round", start);
  }

  void Emit(const EventRecord& event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!pipelines_.logs.signal) return;
    pipelines_.logs.signal->Emit(event, ids_, std::chrono::system_clock::now());
  }

  const TelemetryOptions options_;
  const std::string description_;
  const std::shared_ptr<Registry> registry_;  // Shared with threads that may be left behind.
  const std::shared_ptr<RareLines> lines_;    // As above.
  model::Mutex mutex_;
  Pipelines pipelines_ ABSL_GUARDED_BY(mutex_);
  Figures figures_ ABSL_GUARDED_BY(mutex_);
  TraceIds ids_ ABSL_GUARDED_BY(mutex_);  // Of the round last started.
  // Its number, until it has ended.
  std::optional<uint64_t> round_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::optional<std::string> ProcessEnvironment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

absl::StatusOr<std::unique_ptr<Telemetry>> Telemetry::Start(TelemetryOptions options) {
  FORETELL_CHECK(options.environment != nullptr);
  FORETELL_CHECK(options.log != nullptr);
  TelemetrySettings settings = ReadTelemetrySettings(options.environment);
  for (const std::string& warning : settings.warnings) options.log("telemetry: " + warning);
  try {
    return std::make_unique<TelemetryImpl>(std::move(options), std::move(settings));
  } catch (const std::exception& error) {
    return absl::UnavailableError(absl::StrCat("telemetry: ", error.what()));
  }
}

}  // namespace foretell::agent
