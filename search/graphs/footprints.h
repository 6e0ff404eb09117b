#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/engine/transition_table.h"
#include "foretell/search/graphs/slot_set.h"

namespace foretell::search {

// The messages that must have been sent before a message can exist. The local model checker
// delivers every message to every node state; most of those deliveries cannot happen, because the
// message needs something that this node, or some other node, cannot have sent together with what
// is already known. Footprints rule out many of them cheaply and never rule out one that can
// happen.
//
// Slots name copies of messages: (message, 0) is sent by the first send of a path, (message, 1) by
// the second, ...
class Footprints {
 public:
  explicit Footprints(const model::TransitionTable& table);

  // A send with more copies than this on one path makes the message unbounded: no longer counted.
  static constexpr uint32_t kCopiesMax = 8;
  uint32_t Slot(model::MessageId message, uint32_t copy);
  // The number of copies of `message` in `slots`.
  uint32_t Copies(const SlotSet& slots, model::MessageId message) const;

  // The message is in the cut: it exists whatever anybody sends.
  void Given(model::MessageId message);
  // A path that consumed `consumed` and sent `sent` has just sent `message`.
  void Produced(model::MessageId message, const SlotSet& consumed, const SlotSet& sent);
  // A path of `node` can have sent exactly `sent` (so far).
  void CanSend(model::NodeId node, const SlotSet& sent);

  // From where CanArrive looks: `node` is on a path that consumed `consumed` and sent `sent`, both
  // of which outlive the question; `path` is a number of its own. Many messages in a row are cheap.
  void Look(model::NodeId node, uint32_t path, const SlotSet& consumed, const SlotSet& sent);
  // True iff `message` can reach the node that looks.
  bool CanArrive(model::MessageId message);

  // Footprints shrink as more ways to send a message are found. Recomputes them; afterwards what
  // could not arrive before may. Returns whether anything changed since the last call.
  bool Refresh();

  uint64_t bytes() const;

 private:
  struct Production {
    SlotSet consumed;
    SlotSet sent;
  };
  struct Info {
    std::vector<uint32_t> slots;          // By copy.
    std::vector<Production> productions;  // Only minimal ones matter.
    SlotSet footprint;
    bool given = false;
  };
  Info& info(model::MessageId message);
  SlotSet Intersection(const Info& info) const;
  // Messages known to have been sent by others once `consumed` was received.
  SlotSet Known(const SlotSet& consumed) const;
  void LookAgain();

  const model::TransitionTable& table_;
  std::vector<Info> infos_;                     // By message.
  std::vector<model::MessageId> slot_message_;  // By slot.
  std::vector<SlotSet> sent_by_;                // By node: all its slots.
  std::vector<std::vector<SlotSet>> can_send_;  // By node: maximal sets only.
  bool changed_ = false;
  // From where the node looks.
  model::NodeId node_;
  uint32_t path_ = 0;
  const SlotSet* consumed_ = nullptr;
  const SlotSet* sent_ = nullptr;
  bool current_ = false;        // What follows is what there is to be seen.
  bool contradiction_ = false;  // No path of somebody else goes with what is known.
  std::vector<std::vector<const SlotSet*>> fitting_;  // By node: sets that go with what is known.
};

}  // namespace foretell::search
