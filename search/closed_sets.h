#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "foretell/search/conflicts.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/slot_set.h"

namespace foretell::search {

// Enabled events of one node that conflict with nothing else that may happen there, as long as
// what the other nodes may do is within bounds.
struct ClosedSet {
  SlotSet places;  // Among the enabled events of the node.
  uint32_t size = 0;
  SlotSet absent;     // Messages that no other node may still send, ...
  SlotSet receivers;  // ... and nodes that may not lose what this one sent them, on streams.
};

// The closed sets of a node, one per event to begin with. They depend on its state and on what is
// in flight to it, and on nothing else: system states have these in common by the thousand, so the
// sets are kept. Room is bounded; what does not fit is found again.
class ClosedSets {
 public:
  // Both outlive this.
  ClosedSets(GlobalSpace& space, const Conflicts& conflicts);

  // From now on `event` of `node` is part of no set.
  void Bar(model::NodeId node, model::EventId event) {
    barred_.insert(model::PairKey(node.value(), event.value()));
  }
  // Those of the node of `enabled`, which is all that is enabled there. Valid until the node is
  // asked for again.
  std::span<const ClosedSet> Of(const GlobalState& state, std::span<const Move> enabled);

  uint64_t bytes() const;

 private:
  static constexpr size_t kEntriesMin = 1 << 6;
  static constexpr size_t kEntriesMax = 1 << 16;
  struct Entry {
    model::StateId state;
    MailboxId mailbox;
    bool known = false;
    std::vector<model::EventId> enabled;
    std::vector<ClosedSet> sets;
  };
  struct Node {
    std::vector<Entry> entries;  // By a hash of what they belong to.
    size_t found = 0;            // Since there are so many entries.
  };

  Entry& EntryOf(model::NodeId node, model::StateId state, MailboxId mailbox);
  void Find(const GlobalState& state, std::span<const Move> enabled, Entry& entry);
  bool Close(const GlobalState& state, std::span<const Move> enabled, ClosedSet& set);
  bool Add(const GlobalState& state, std::span<const Move> enabled, model::EventId other,
           ClosedSet& set);
  bool Eligible(const Move& move) const;

  GlobalSpace& space_;
  const Conflicts& conflicts_;
  const bool streams_;
  absl::flat_hash_set<uint64_t> barred_;  // Node and event.
  std::vector<Node> nodes_;
  std::vector<uint32_t> open_;  // Of Close: places whose conflicts were not looked at.
};

}  // namespace foretell::search
