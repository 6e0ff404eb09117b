#include "foretell/agent/telemetry/export/delivery.h"

namespace foretell::agent {

Delivery::Delivery(Signal signal, size_t queue_max, std::shared_ptr<Registry> registry,
                   std::shared_ptr<model::Mutex> turns)
    : signal_(signal),
      queue_max_(queue_max),
      registry_(std::move(registry)),
      turns_(std::move(turns)) {}

bool Delivery::Enter() {
  if (queued_.fetch_add(1) < queue_max_) return true;
  queued_.fetch_sub(1);
  Drop(1);
  return false;
}

void Delivery::Leave(uint64_t count) { queued_.fetch_sub(count); }

void Delivery::Drop(uint64_t count) {
  registry_->Add(metrics::kTelemetryDropped, {{"foretell.signal", SignalName(signal_)}},
                 static_cast<double>(count));
}

void Delivery::Close() {
  const model::MutexLock lock(mutex_);
  closed_.store(true);
  if (cancel_) cancel_();
}

void Delivery::OnClose(std::function<void()> cancel) {
  const model::MutexLock lock(mutex_);
  cancel_ = std::move(cancel);
  if (cancel_ && closed_.load()) cancel_();
}

}  // namespace foretell::agent
