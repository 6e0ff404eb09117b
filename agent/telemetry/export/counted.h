#pragma once

// The common part of spans and log records on their way out. Templates, so that this header needs
// none of the SDK's.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "foretell/agent/telemetry/export/delivery.h"

namespace foretell::agent {

// Keeps the books of what the exporter takes, and spares it the rest after a close. `Exporter` is
// the SDK's interface, the others are the types that it names.
template <class Exporter, class Recordable, class Recordables, class ExportResult>
class CountedExporter final : public Exporter {
 public:
  CountedExporter(std::unique_ptr<Exporter> exporter, std::shared_ptr<Delivery> delivery)
      : exporter_(std::move(exporter)), delivery_(std::move(delivery)) {}

  std::unique_ptr<Recordable> MakeRecordable() noexcept override {
    return exporter_->MakeRecordable();
  }
  ExportResult Export(const Recordables& records) noexcept override {
    const uint64_t count = records.size();
    return delivery_->InTurn([&] {
      const ExportResult result =
          delivery_->closed() ? ExportResult::kFailure : exporter_->Export(records);
      if (result != ExportResult::kSuccess) delivery_->Drop(count);
      delivery_->Leave(count);
      return result;
    });
  }
  bool ForceFlush(std::chrono::microseconds timeout) noexcept override {
    return exporter_->ForceFlush(timeout);
  }
  bool Shutdown(std::chrono::microseconds timeout) noexcept override {
    return exporter_->Shutdown(timeout);
  }

 private:
  const std::unique_ptr<Exporter> exporter_;
  const std::shared_ptr<Delivery> delivery_;
};

// Onto a span or a log record of the SDK, whose texts are views of type `Text`.
template <class Text, class Attributes, class Record>
void SetAttributes(const Attributes& attributes, Record& record) {
  for (const auto& [name, value] : attributes) {
    std::visit(
        [&record, &key = name](const auto& known) {
          if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::string>) {
            record.SetAttribute(key, Text(known));
          } else {
            record.SetAttribute(key, known);
          }
        },
        value);
  }
}

}  // namespace foretell::agent
