#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/search/dpor/execution.h"

namespace foretell::search {

// What is to be followed from a state, in this order: sequences of turns as a tree.
struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;
};
struct WakeupTree::Branch {
  Turn turn;
  WakeupTree rest;
};

// A sequence of turns from where an execution is, and what happens before what in it.
class Sequence {
 public:
  // Takes the turns; nothing if one of them is not possible.
  static std::optional<Sequence> Make(const Execution& from, std::vector<Turn> turns);

  // Whether `turn` can come first: it is in the sequence and nothing before it happens before it,
  // or it has nothing to do with any of it.
  bool CanBegin(Turn turn);
  // Leaves `turn`, which can come first, behind. REQUIRES: CanBegin(turn).
  void Begin(Turn turn);

  const std::vector<Turn>& turns() const { return turns_; }
  // Where it leads.
  Execution& taken() { return taken_; }

 private:
  Sequence(const Execution& from, std::vector<Turn> turns)
      : begin_(from.size()), taken_(from), turns_(std::move(turns)) {}
  bool TakeAll();
  std::optional<size_t> IndexOf(uint32_t process) const;
  bool FreeOf(size_t event) const;

  size_t begin_;  // The sequence is what comes after.
  Execution taken_;
  std::vector<Turn> turns_;
};

// The ways to have the event `later` come before `first`, which it races with: all that need not
// come after `first`, and then `later`. None if it cannot: a Wait waits for what it is given. What
// does not block may be another step there, or several.
std::vector<Sequence> Reversed(const Execution& execution, size_t first, size_t later);

// Adds `sequence` to `tree` unless what is there covers it. Returns how many nodes that took.
uint64_t Insert(Sequence sequence, WakeupTree& tree);

}  // namespace foretell::search
