#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "foretell/search/symmetry/exchanges.h"

namespace foretell::search {

// What a state or a mailbox has to do with each node of the classes, its own node included: a
// number that stays the same when nodes are exchanged, it, the thing and the node alike. Nodes of a
// global state are told apart by the sum of what everything has to do with them.
//
// For states and messages the numbers are those of orbits: two pairs of a thing and a node have one
// number iff some permutation leads from one to the other. A mailbox is the sum of its messages.
class Views {
 public:
  // All outlive this.
  Views(GlobalSpace& space, Exchanges& exchanges, const NodeClasses& classes);

  // The nodes of all classes, class by class.
  size_t member_count() const { return member_count_; }
  // One number per member. Adds to `sums`.
  void AddState(model::NodeId node, model::StateId state, std::span<uint64_t> sums) {
    Add(RowOf({node.value(), state.value()}), sums);
  }
  void AddMailbox(model::NodeId node, MailboxId mailbox, std::span<uint64_t> sums);

  uint64_t bytes() const;

 private:
  // A state of a node, or a message if the place is none.
  struct Thing {
    uint32_t place;
    uint32_t id;
  };
  uint32_t& Known(Thing thing);
  uint32_t RowOf(Thing thing) {
    const std::vector<uint32_t>& known = rows_of_[thing.place];
    const bool there = thing.id < known.size() && known[thing.id] != 0;
    return there ? known[thing.id] - 1 : Close(thing);
  }
  Thing Image(size_t exchange, Thing thing);
  uint32_t NewRow();
  uint32_t Close(Thing thing);
  void Number(uint32_t first, std::span<const uint32_t> edges);
  uint32_t SumUp(model::NodeId node, MailboxId mailbox);
  void Add(uint32_t row, std::span<uint64_t> sums) const {
    const uint64_t* const numbers = &rows_[row * member_count_];
    for (size_t m = 0; m < member_count_; ++m) sums[m] += numbers[m];
  }

  GlobalSpace& space_;
  Exchanges& exchanges_;
  const bool streams_;
  const uint32_t messages_;  // The place of messages.
  size_t member_count_ = 0;
  std::vector<uint32_t> first_member_;  // By exchange: it and the next one are exchanged.
  uint64_t numbers_ = 0;
  std::vector<uint64_t> rows_;  // Member by member.
  // Rows plus one; 0 is unknown.
  std::vector<std::vector<uint32_t>> rows_of_;            // By place, and by id.
  std::vector<std::vector<uint32_t>> rows_of_mailboxes_;  // By node, and by mailbox.
};

}  // namespace foretell::search
