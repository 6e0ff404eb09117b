#pragma once

#include <compare>
#include <cstdint>
#include <utility>

#include "foretell/model/check.h"
#include "foretell/model/event.h"
#include "foretell/model/id.h"

namespace foretell::model {

// An event by number: its kind and, packed below, the message, action or peer.
class EventId {
 public:
  constexpr EventId() = default;
  static EventId Deliver(MessageId m) { return EventId(EventKind::kDeliver, m.value()); }
  static EventId Action(ActionId a) { return EventId(EventKind::kAction, a.value()); }
  // Of a kind that has no body; `peer` is 0 if it has none either.
  static EventId Bare(EventKind kind, NodeId peer = NodeId(0)) {
    return EventId(kind, peer.value());
  }

  EventKind kind() const { return static_cast<EventKind>(value_ >> kIndexBits); }
  bool is_deliver() const { return kind() == EventKind::kDeliver; }
  MessageId message() const { return MessageId(index()); }
  ActionId action() const { return ActionId(index()); }
  NodeId peer() const { return NodeId(index()); }
  uint32_t value() const { return value_; }

  friend constexpr auto operator<=>(EventId, EventId) = default;
  template <class H>
  friend H AbslHashValue(H h, EventId id) {
    return H::combine(std::move(h), id.value_);
  }

 private:
  static constexpr int kIndexBits = 29;
  static_assert(static_cast<uint32_t>(EventKind::kLast) >> (32 - kIndexBits) == 0);
  EventId(EventKind kind, uint32_t index)
      : value_(static_cast<uint32_t>(kind) << kIndexBits | index) {
    FORETELL_CHECK(index >> kIndexBits == 0);
  }
  uint32_t index() const { return value_ & ((uint32_t{1} << kIndexBits) - 1); }

  uint32_t value_ = 0;
};

}  // namespace foretell::model
