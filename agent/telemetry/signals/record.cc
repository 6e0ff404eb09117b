#include "foretell/agent/telemetry/signals/record.h"

namespace foretell::agent {

const char* NodeAnswerName(NodeAnswer answer) {
  switch (answer) {
    case NodeAnswer::kOk: return "ok";
    case NodeAnswer::kUnavailable: return "unavailable";
    case NodeAnswer::kDeadlineExceeded: return "deadline_exceeded";
    case NodeAnswer::kPruned: return "pruned";
    case NodeAnswer::kLimited: return "limited";
    case NodeAnswer::kGarbage: return "garbage";
    case NodeAnswer::kWrongVersion: return "wrong_version";
    case NodeAnswer::kUnidentified: return "unidentified";
    case NodeAnswer::kGap: return "gap";
    case NodeAnswer::kFailed: return "failed";
  }
  return "";
}

const char* OutcomeWord(const std::optional<model::Outcome>& outcome) {
  return outcome ? model::OutcomeName(*outcome) : "failed";
}

const char* RoundOutcomeName(RoundOutcome outcome) {
  switch (outcome) {
    case RoundOutcome::kOk: return "ok";
    case RoundOutcome::kNoSnapshot: return "no_snapshot";
    case RoundOutcome::kFailed: return "failed";
  }
  return "";
}

const char* ViolationEventName(bool happened) {
  return happened ? "foretell.violation.happened" : "foretell.violation.predicted";
}

const char* VetoEndName(VetoEnd end) {
  switch (end) {
    case VetoEnd::kLease: return "lease";
    case VetoEnd::kNotNeeded: return "not_needed";
    case VetoEnd::kKilled: return "killed";
  }
  return "";
}

const char* SnapshotFaultName(SnapshotFault fault) {
  switch (fault) {
    case SnapshotFault::kInconsistent: return "inconsistent";
    case SnapshotFault::kInvalid: return "invalid";
    case SnapshotFault::kUnavailable: return "unavailable";
    case SnapshotFault::kFailed: return "failed";
  }
  return "";
}

}  // namespace foretell::agent
