#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/search/dpor/sequence.h"

namespace foretell::search {

// What is to be followed from each of some states, in this order: sequences of turns as trees, all
// in one piece of memory. A tree is its first branch.
class WakeupTrees {
 public:
  using Tree = uint32_t;
  static constexpr Tree kEmpty = UINT32_MAX;

  // The first branch of `tree`, which is not empty.
  Turn First(Tree tree) const { return branches_[tree].turn; }
  // Removes that one; what is to be followed after it is left.
  Tree TakeFirst(Tree& tree);
  void Clear(Tree& tree);

  // Whether a branch that ends covers all that `sequence` may be closed to. No is no answer.
  bool CoversAnyway(Sequence& sequence, Tree tree) const;
  // Adds one turn, after all others.
  void Add(Turn turn, Tree& tree);
  // Adds `sequence` unless what is there covers it; it is used up. If what is there covers only
  // some of what a process may come to after it, nothing is added, and that process is the result.
  std::optional<uint32_t> Insert(Sequence& sequence, Tree& tree);

  // How many branches there are in all trees.
  uint64_t size() const { return size_; }

 private:
  struct Branch {
    Turn turn;
    Tree rest = kEmpty;  // After it.
    Tree next = kEmpty;  // Beside it.
  };
  Tree Make(Turn turn);
  void Release(Tree branch);
  void AddLast(Tree branch, Tree& tree);

  std::vector<Branch> branches_;
  std::vector<Tree> free_;
  uint64_t size_ = 0;
};

}  // namespace foretell::search
