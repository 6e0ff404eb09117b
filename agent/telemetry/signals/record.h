#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foretell::agent {

// When a part of a round ran. `offset` counts from the start of the round.
struct Timing {
  std::chrono::nanoseconds offset{0};
  std::chrono::nanoseconds duration{0};
};

// What one node answered.
struct NodeRecord {
  uint32_t node = 0;
  std::string status = "ok";  // A few fixed words: "ok", "unavailable", "deadline_exceeded", ...
  Timing timing;
  uint64_t bytes = 0;  // On the wire.
  bool unchanged = false;
};

// One run of an engine.
struct EngineRecord {
  std::string engine;
  std::string space;  // What it imagined to happen, as text. Only on spans.
  Timing timing;
  std::string outcome = "none";       // As in the JSON of `foretell check`, or "failed".
  std::string error;                  // Why it failed; empty otherwise.
  std::vector<std::string> rejected;  // What it claimed and the cut did not confirm, and why.
  bool complete = false;
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t depth = 0;
  uint64_t handler_executions = 0;
};
// The part of the transitions that needed no handler: (transitions - executions) / transitions.
// None without transitions.
std::optional<double> MemoHitRatio(const EngineRecord& run);

// The cut that a round works from.
struct SnapshotRecord {
  uint64_t bytes = 0;
  std::chrono::nanoseconds age{0};  // When the round ended.
  uint32_t absent = 0;              // Nodes that are not in it.
  bool exact = true;
};

// One round, finished or failed.
struct RoundRecord {
  uint64_t number = 0;
  std::chrono::system_clock::time_point start;
  std::chrono::nanoseconds duration{0};
  std::string outcome = "ok";  // A few fixed words: "ok", "no_snapshot", "failed", ...
  std::string error;           // Makes the root span one of an error, if not empty.
  std::optional<Timing> collect;
  std::vector<NodeRecord> nodes;
  std::optional<SnapshotRecord> snapshot;
  std::optional<Timing> predict;
  std::vector<EngineRecord> engines;
  uint32_t predictions = 0;
  uint32_t filters = 0;  // Vetoes in force after the round.
  bool killed = false;   // The kill switch is on.
};

// Events. What may have many values (paths, ids, texts) is on the log record only, never on a
// metric.
struct ViolationEvent {
  std::string invariant;
  std::string engine;
  std::string mode;  // "observe", "shadow", "enforce".
  uint32_t steps_away = 0;
  std::optional<uint32_t> node;  // Of the first step that can be stopped.
  std::string bundle;            // Its path; empty if none was written.
  std::string decision;          // Empty if nothing is vetoed.
  std::string text;              // One line for a person: becomes the body.
};

struct VetoEvent {
  std::string decision;
  std::string invariant;
  std::string mode;  // "shadow" or "enforce".
  std::string kind;  // "drop", "reset", "postpone", "refuse".
  uint32_t node = 0;
  std::chrono::milliseconds lease{0};  // Of a veto that is applied.
  std::string reason;                  // Of one that ends: "lease", "not_needed", "killed".
  std::string text;
};

struct RejectedSnapshotEvent {
  uint64_t snapshot = 0;
  std::string reason;  // A few fixed words: "inconsistent", "invalid", "unavailable", ...
  std::string text;
};

}  // namespace foretell::agent
