#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/event.h"
#include "foretell/model/id.h"

namespace foretell::model {
class Service;
}

namespace foretell::snapshot {

inline constexpr const char* kUnknownName = "unknown";
// True iff no enumerator comes after `last`. One without a case in `name` does not compile, and
// with one it has a name: so that kLast cannot be left behind.
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

// The events that a kind of filter is for.
enum class FilterTarget : uint8_t { kNothing, kDatagram, kStreamMessage, kTimer, kCall };

// The row of a kind, which planners, nodes and texts ask. The schema has the kind under the same
// name and number (convert_test).
struct FilterTraits {
  const char* name;
  const char* verb;  // Of a sentence whose object is the event.
  FilterTarget target;
  bool breaks = false;  // True if it takes a break from the fault budget of the node.
};
constexpr FilterTraits TraitsOf(FilterKind kind) {
  switch (kind) {
    case FilterKind::kDrop: return {"drop", "drop", FilterTarget::kDatagram};
    case FilterKind::kReset:
      return {"reset", "reset the stream that brings", FilterTarget::kStreamMessage, true};
    case FilterKind::kPostpone: return {"postpone", "postpone", FilterTarget::kTimer};
    case FilterKind::kRefuse: return {"refuse", "refuse", FilterTarget::kCall};
  }
  return {kUnknownName, kUnknownName, FilterTarget::kNothing};
}
constexpr const char* FilterKindName(FilterKind kind) { return TraitsOf(kind).name; }
static_assert(IsLast(FilterKind::kLast, FilterKindName));

// The target that `event` is at a node of `service`. REQUIRES: the body of an action is one of the
// service's.
FilterTarget TargetOf(const model::Service& service, const model::Event& event);
// The first kind that stops such events; nothing if none does.
std::optional<FilterKind> KindFor(FilterTarget target);

enum class Mode : uint8_t {
  kOff,      // The invariant is not looked at.
  kObserve,  // Predictions are reported.
  kShadow,   // ... and what would have been vetoed is counted.
  kEnforce,  // ... and is vetoed.
  kGuard,    // ... and nothing that the invariant sees changes before the agent has granted it.
  kLast = kGuard,
};
// "off", "observe", "shadow", "enforce", "guard".
constexpr const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kOff: return "off";
    case Mode::kObserve: return "observe";
    case Mode::kShadow: return "shadow";
    case Mode::kEnforce: return "enforce";
    case Mode::kGuard: return "guard";
  }
  return kUnknownName;
}
static_assert(IsLast(Mode::kLast, ModeName));
// True iff plans are made for an invariant in `mode`.
constexpr bool Steers(Mode mode) { return mode >= Mode::kShadow; }
// What filters and safety cuts say of an invariant in `mode`: to them a guard is an enforcement.
constexpr Mode VetoMode(Mode mode) { return mode == Mode::kGuard ? Mode::kEnforce : mode; }
// InvalidArgument, naming the text and what was expected, if it is not the name of a mode.
absl::StatusOr<Mode> ParseMode(const std::string& text);

// Limits of what a node takes at once; no agent asks for nearly as much. Beyond them, looking at
// filters would take time that the node needs.
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
