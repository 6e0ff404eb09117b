#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/agent/telemetry/signals/record.h"

namespace foretell::agent {

using AttributeValue = std::variant<std::string, int64_t, double, bool>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

// A span of a round and what is below it, before any exporter sees it.
struct SpanTree {
  std::string name;
  Timing timing;
  Attributes attributes;
  std::string error;    // Not empty: the span's status is an error with this description.
  bool client = false;  // A call to another process.
  std::vector<SpanTree> children;
};

// foretell.round
//   foretell.collect, with one foretell.checkpoint per node
//   foretell.judge, with one foretell.life per liveness predicate
//   foretell.predict, with one foretell.engine per run
SpanTree RoundSpans(const RoundRecord& round);

// A log record, before any exporter sees it.
struct EventRecord {
  enum class Severity : uint8_t { kInfo, kWarn, kError };
  std::string name;
  Severity severity = Severity::kInfo;
  std::string body;
  Attributes attributes;
};

EventRecord ViolationRecord(const ViolationEvent& event);
EventRecord ViolationResolvedRecord(const ResolvedEvent& event);
EventRecord VetoAppliedRecord(const VetoEvent& event);
EventRecord VetoExpiredRecord(const VetoEvent& event);
EventRecord SnapshotRejectedRecord(const RejectedSnapshotEvent& event);

}  // namespace foretell::agent
