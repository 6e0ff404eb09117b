#pragma once

// The kinds of events and faults, one row each. Checkers, drawings, files and listings go by the
// rows. One fault more is an event and its row, a fault, its member of FaultBudget and its row
// here, numbers for both in snapshot/wire/foretell.capnp with their lines in
// snapshot/wire/convert.cc, and a hook for protocols in model/typed/service.h.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

namespace foretell::model {

// The kinds of events at one node.
enum class EventKind : uint8_t {
  kDeliver,  // A message that is in flight arrives.
  kAction,   // The node acts by itself: a timer, an application call, a disk completion.
  kCrash,    // The node stops; only the persistent part of its state survives.
  kRestart,  // A crashed node comes back. Streams towards it begin empty.
  kBreak,    // The stream from `peer` breaks: what is in flight on it is lost.
  kLast = kBreak,
};

// The role of an event's peer.
enum class PeerRole : uint8_t {
  kNone,
  kSender,  // Of the message that arrives.
  kStream,  // The other end of a stream: such events are possible on streams only.
};

// The part of all that is in flight towards a node that an event loses, on streams.
enum class StreamLoss : uint8_t { kNothing, kFromPeer, kAll };

// A sign in drawings, with characters of any kind and with plain ones.
struct Sign {
  const char* unicode;
  const char* ascii;
};

struct EventKindInfo {
  EventKind kind;
  const char* name;  // In reports and files.
  PeerRole peer = PeerRole::kNone;
  StreamLoss loses = StreamLoss::kNothing;
  Sign mark = {"●", "o"};  // Stands on the node's lane.
  Sign head = {"", ""};    // kStream: ends the arrow that comes from the peer.
  bool alarming = false;   // The colour of the mark.
};

inline constexpr EventKindInfo kEventKinds[] = {
    {.kind = EventKind::kDeliver, .name = "deliver", .peer = PeerRole::kSender},
    {.kind = EventKind::kAction, .name = "action"},
    {.kind = EventKind::kCrash, .name = "crash", .mark = {"✖", "X"}, .alarming = true},
    {.kind = EventKind::kRestart, .name = "restart", .loses = StreamLoss::kAll, .mark = {"↻", "^"}},
    {.kind = EventKind::kBreak,
     .name = "break",
     .peer = PeerRole::kStream,
     .loses = StreamLoss::kFromPeer,
     .head = {"╳", "/"}},
};

// An event that a node's budget limits.
enum class FaultKind : uint8_t { kCrash, kBreak, kLast = kBreak };
inline constexpr size_t kFaultKinds = static_cast<size_t>(FaultKind::kLast) + 1;

// The number of times that each fault can hit one node. Members have names so that services can
// write {.crashes_max = 1}; everybody else goes by the kind.
struct FaultBudget {
  uint8_t crashes_max = 0;
  uint8_t breaks_max = 0;  // Streams only.

  constexpr uint8_t operator[](FaultKind kind) const;
};

struct FaultKindInfo {
  FaultKind kind;
  EventKind event;
  uint8_t FaultBudget::*max;
  bool stops = false;  // The node is down afterwards, and all that it can do is restart.
  const char* used;    // In files: how often it has happened, ...
  const char* limit;   // ... and how often it may.
  const char* one;     // For people: "1 broken stream", ...
  const char* many;    // ... "2 broken streams".
  const char* did;     // "crashed 2 times", "lost 2 streams".
  const char* times;
};

inline constexpr FaultKindInfo kFaults[] = {
    {.kind = FaultKind::kCrash,
     .event = EventKind::kCrash,
     .max = &FaultBudget::crashes_max,
     .stops = true,
     .used = "crashes",
     .limit = "crashes_max",
     .one = "crash",
     .many = "crashes",
     .did = "crashed",
     .times = "times"},
    {.kind = FaultKind::kBreak,
     .event = EventKind::kBreak,
     .max = &FaultBudget::breaks_max,
     .used = "breaks",
     .limit = "breaks_max",
     .one = "broken stream",
     .many = "broken streams",
     .did = "lost",
     .times = "streams"},
};

// True iff the rows are those of all kinds, in order.
template <class Info, size_t n>
constexpr bool IsComplete(const Info (&rows)[n]) {
  for (size_t i = 0; i < n; ++i) {
    if (static_cast<size_t>(rows[i].kind) != i) return false;
  }
  return n == static_cast<size_t>(decltype(Info::kind)::kLast) + 1;
}
static_assert(IsComplete(kEventKinds) && IsComplete(kFaults));

constexpr const EventKindInfo& InfoOf(EventKind kind) {
  return kEventKinds[static_cast<size_t>(kind)];
}
constexpr const FaultKindInfo& InfoOf(FaultKind kind) { return kFaults[static_cast<size_t>(kind)]; }

constexpr uint8_t FaultBudget::operator[](FaultKind kind) const { return this->*InfoOf(kind).max; }

// The fault that events of `kind` are, if they are one.
constexpr std::optional<FaultKind> FaultOf(EventKind kind) {
  for (const FaultKindInfo& fault : kFaults) {
    if (fault.event == kind) return fault.kind;
  }
  return std::nullopt;
}

// The word used for `kind` in reports: "deliver", "action", ...
constexpr const char* KindName(EventKind kind) { return InfoOf(kind).name; }

constexpr bool HasPeer(EventKind kind) { return InfoOf(kind).peer != PeerRole::kNone; }
constexpr bool IsOfStream(EventKind kind) { return InfoOf(kind).peer == PeerRole::kStream; }

// True iff the fault, or the restart that it leads to, can lose what is in flight on streams.
constexpr bool CanEmptyStreams(FaultKind kind) {
  return InfoOf(kind).stops || InfoOf(InfoOf(kind).event).loses != StreamLoss::kNothing;
}

// The number of times that each fault has hit one node: {{FaultKind::kCrash, 1}}.
class FaultCounts {
 public:
  constexpr FaultCounts() = default;
  constexpr FaultCounts(std::initializer_list<std::pair<FaultKind, uint8_t>> counts) {
    for (const auto& [kind, count] : counts) (*this)[kind] = count;
  }
  constexpr uint8_t& operator[](FaultKind kind) { return counts_[static_cast<size_t>(kind)]; }
  constexpr uint8_t operator[](FaultKind kind) const { return counts_[static_cast<size_t>(kind)]; }
  // In the order of the kinds.
  constexpr auto begin() const { return counts_.begin(); }
  constexpr auto end() const { return counts_.end(); }
  friend constexpr auto operator<=>(const FaultCounts&, const FaultCounts&) = default;

 private:
  std::array<uint8_t, kFaultKinds> counts_{};
};

}  // namespace foretell::model
