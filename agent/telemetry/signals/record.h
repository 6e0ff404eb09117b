#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/report.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::agent {

// Records for telemetry, in the terms of the agent's own code. Words are made where they leave the
// process, by the functions named like the enumerations.

// When a part of a round ran. `offset` counts from the start of the round.
struct Timing {
  std::chrono::nanoseconds offset{0};
  std::chrono::nanoseconds duration{0};
};

// The kind of answer of a node that was asked for a checkpoint.
enum class NodeAnswer : uint8_t {
  kOk,
  kUnavailable,
  kDeadlineExceeded,
  kPruned,        // It has gone beyond the checkpoint that it was asked for.
  kLimited,       // It, or we, would have had to take too much.
  kGarbage,       // An answer that no such node can give.
  kWrongVersion,  // It runs something else.
  kUnidentified,  // It has not said yet what it runs.
  kGap,           // Its streams are not known well enough to use what it said.
  kFailed,
};
// A few fixed words for metrics and spans: "ok", "unavailable", "deadline_exceeded", ...
const char* NodeAnswerName(NodeAnswer answer);

// The answer of one node.
struct NodeRecord {
  uint32_t node = 0;
  NodeAnswer answer = NodeAnswer::kOk;
  Timing timing;
  uint64_t bytes = 0;  // On the wire.
  bool unchanged = false;
};

// One run of an engine.
struct EngineRecord {
  std::string engine;
  std::string space;  // The imagined acts, as text. Only on spans.
  Timing timing;
  std::optional<model::Outcome> outcome = model::Outcome::kNone;  // None: it failed.
  std::string error;                                              // Why it failed; empty otherwise.
  std::vector<std::string> rejected;  // Claims that the cut did not confirm, and why.
  bool complete = false;
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t depth = 0;
  uint64_t handler_executions = 0;
};
// As in the JSON of `foretell check`, or "failed".
const char* OutcomeWord(const std::optional<model::Outcome>& outcome);
// The part of the transitions that needed no handler: (transitions - executions) / transitions.
// None without transitions.
std::optional<double> MemoHitRatio(const EngineRecord& run);

// A liveness predicate in one round.
struct LifeRecord {
  std::string property;
  std::string life;  // "holds", "alive", "dead", "suspected", "undecided".
  bool dead = false;
  std::chrono::nanoseconds gap{0};      // Since a cut in which it held.
  std::optional<uint32_t> death_steps;  // To a way into death, if one was found ...
  uint32_t death_faults = 0;            // ... and what has to go wrong on it.
  std::string text;                     // One line.
};

// The cut that a round works from.
struct SnapshotRecord {
  uint64_t bytes = 0;
  std::chrono::nanoseconds age{0};  // When the round ended.
  uint32_t absent = 0;              // Nodes that are not in it.
  bool exact = true;
  std::vector<std::string> notes;  // Why it is not exact, a sentence each.
};

enum class RoundOutcome : uint8_t { kOk, kNoSnapshot, kFailed };
// "ok", "no_snapshot", "failed".
const char* RoundOutcomeName(RoundOutcome outcome);

// One round, finished or failed.
struct RoundRecord {
  uint64_t number = 0;
  std::chrono::system_clock::time_point start;
  std::chrono::nanoseconds duration{0};
  RoundOutcome outcome = RoundOutcome::kOk;
  std::string error;  // Makes the root span one of an error, if not empty.
  std::optional<Timing> collect;
  std::vector<NodeRecord> nodes;
  std::optional<SnapshotRecord> snapshot;
  std::optional<Timing> judge;    // Of the liveness predicates in the cut.
  std::vector<LifeRecord> lives;  // One per liveness predicate that is watched.
  std::optional<Timing> predict;
  std::vector<EngineRecord> engines;
  uint32_t predictions = 0;
  std::map<std::string, uint32_t> steps_away;  // By invariant: to the nearest violation.
  uint32_t spaces = 0;                         // Imagined ...
  uint32_t spaces_complete = 0;                // ... and searched to the end.
  uint32_t filters = 0;                        // Vetoes in force after the round.
  bool killed = false;                         // The kill switch is on.
  std::string fallen_back;                     // Why vetoes are only shadowed; empty: they are not.
};

// Events. What may have many values (paths, ids, texts) is on the log record only, never on a
// metric.
struct ViolationEvent {
  std::string invariant;
  bool happened = false;  // In the cut itself. Else it is predicted.
  std::string engine;
  snapshot::Mode mode = snapshot::Mode::kObserve;
  uint32_t steps_away = 0;
  std::optional<uint32_t> node;  // Of the first step that can be stopped.
  std::string bundle;            // Its path; empty if none was written.
  std::string decision;          // Empty if nothing is vetoed.
  std::string verdict;           // Of a liveness predicate: "dead", "critical". Else empty.
  uint32_t faults = 0;           // Of one: what has to go wrong on the way.
  std::string cure;              // Of one that is dead: what would help; empty: nothing known.
  std::string assumption;        // "node 0 crashes"; empty if it has happened.
  std::string values;            // "[34]: node 1 abort, node 2 commit"; empty: not known.
  std::string text;              // One line for a person: becomes the body.
};

// "foretell.violation.happened", "foretell.violation.predicted".
const char* ViolationEventName(bool happened);

// What was told does not hold any more: a violation that was predicted cannot be reached, one that
// had happened is not there, a liveness predicate that was dead is alive again.
struct ResolvedEvent {
  std::string invariant;
  uint64_t since = 0;  // The number of the first cut of which it was told ...
  uint64_t until = 0;  // ... and of the first of which it is not true.
  std::string text;
  // "alive"; "unreachable", "unseen" (searches since were cut short), "gone" (had happened).
  std::string verdict;
};

// Why a veto ends.
enum class VetoEnd : uint8_t { kLease, kNotNeeded, kKilled };
// "lease", "not_needed", "killed".
const char* VetoEndName(VetoEnd end);

struct VetoEvent {
  std::string decision;
  std::string invariant;
  snapshot::Mode mode = snapshot::Mode::kEnforce;  // Or kShadow.
  snapshot::FilterKind kind = snapshot::FilterKind::kDrop;
  uint32_t node = 0;
  std::chrono::milliseconds lease{0};  // Of a veto that is applied.
  std::optional<VetoEnd> end;          // Of one that ends.
  std::string text;
};

// Why a snapshot is not used.
enum class SnapshotFault : uint8_t { kInconsistent, kInvalid, kUnavailable, kFailed };
// "inconsistent", "invalid", "unavailable", "failed".
const char* SnapshotFaultName(SnapshotFault fault);

struct RejectedSnapshotEvent {
  uint64_t snapshot = 0;
  SnapshotFault fault = SnapshotFault::kFailed;
  std::string text;
};

}  // namespace foretell::agent
