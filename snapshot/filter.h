#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/event.h"
#include "model/id.h"

namespace foretell::snapshot {

enum class FilterKind : uint8_t {
  kDrop,      // A datagram is thrown away before it is handled.
  kReset,     // The stream that the message comes on is reset.
  kPostpone,  // A timer does not fire while the lease lasts.
  kRefuse,    // An application call is answered with a refusal.
};
// "drop", "reset", "postpone", "refuse".
const char* FilterKindName(FilterKind kind);

enum class Mode : uint8_t {
  kOff,      // The invariant is not looked at.
  kObserve,  // Predictions are reported.
  kShadow,   // ... and what would have been vetoed is counted.
  kEnforce,  // ... and is vetoed.
};
// "off", "observe", "shadow", "enforce".
const char* ModeName(Mode mode);
// InvalidArgument, naming the text and what was expected, if it is not the name of a mode.
absl::StatusOr<Mode> ParseMode(const std::string& text);

// What a node takes at once; no agent asks for nearly as much. Beyond it, looking at filters would
// take time that the node needs.
inline constexpr size_t kFiltersMax = 1024;
inline constexpr size_t kFilterNameMax = 256;       // Bytes of a decision, and of an invariant.
inline constexpr size_t kFilterBytesMax = 4 << 20;  // Of all events.

// A veto: one event that `node` is not to let happen. A lease: it ends by itself.
struct Filter {
  std::string decision;  // Names the decision in the audit log, telemetry and refusals.
  std::string invariant;
  FilterKind kind = FilterKind::kDrop;
  Mode mode = Mode::kEnforce;  // kShadow: count, do not act.
  model::NodeId node{0};
  model::Event event;  // Matches exactly: kind, peer and body.
  std::chrono::milliseconds lease{0};
  friend bool operator==(const Filter&, const Filter&) = default;
};

}  // namespace foretell::snapshot
