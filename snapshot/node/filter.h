#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/event.h"
#include "foretell/model/id.h"

namespace foretell::snapshot {

inline constexpr const char* kUnknownName = "unknown";
// Whether no enumerator comes after `last`. One without a case in `name` does not compile, and with
// one it has a name: so that kLast cannot be left behind.
template <class Enum>
constexpr bool IsLast(Enum last, const char* (*name)(Enum)) {
  return name(static_cast<Enum>(static_cast<int>(last) + 1)) == kUnknownName;
}

enum class FilterKind : uint8_t {
  kDrop,      // A datagram is thrown away before it is handled.
  kReset,     // The stream that the message comes on is reset.
  kPostpone,  // A timer does not fire while the lease lasts.
  kRefuse,    // An application call is answered with a refusal.
  kLast = kRefuse,
};
// "drop", "reset", "postpone", "refuse".
constexpr const char* FilterKindName(FilterKind kind) {
  switch (kind) {
    case FilterKind::kDrop: return "drop";
    case FilterKind::kReset: return "reset";
    case FilterKind::kPostpone: return "postpone";
    case FilterKind::kRefuse: return "refuse";
  }
  return kUnknownName;
}
static_assert(IsLast(FilterKind::kLast, FilterKindName));
// What is done to the event, in a sentence: "reset the stream that brings".
const char* FilterKindVerb(FilterKind kind);

enum class Mode : uint8_t {
  kOff,      // The invariant is not looked at.
  kObserve,  // Predictions are reported.
  kShadow,   // ... and what would have been vetoed is counted.
  kEnforce,  // ... and is vetoed.
  kLast = kEnforce,
};
// "off", "observe", "shadow", "enforce".
constexpr const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kOff: return "off";
    case Mode::kObserve: return "observe";
    case Mode::kShadow: return "shadow";
    case Mode::kEnforce: return "enforce";
  }
  return kUnknownName;
}
static_assert(IsLast(Mode::kLast, ModeName));
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
