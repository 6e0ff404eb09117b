#include "foretell/search/dpor/wakeup_trees.h"

namespace foretell::search {

WakeupTrees::Tree WakeupTrees::Make(Turn turn) {
  ++size_;
  if (free_.empty()) {
    branches_.push_back({turn, kEmpty, kEmpty});
    return static_cast<Tree>(branches_.size() - 1);
  }
  const Tree branch = free_.back();
  free_.pop_back();
  branches_[branch] = {turn, kEmpty, kEmpty};
  return branch;
}

void WakeupTrees::Release(Tree branch) {
  --size_;
  free_.push_back(branch);
}

WakeupTrees::Tree WakeupTrees::TakeFirst(Tree& tree) {
  const Branch first = branches_[tree];
  Release(tree);
  tree = first.next;
  return first.rest;
}

void WakeupTrees::Clear(Tree& tree) {
  while (tree != kEmpty) {
    Tree rest = TakeFirst(tree);
    Clear(rest);
  }
}

void WakeupTrees::Add(Turn turn, Tree& tree) { AddLast(Make(turn), tree); }

void WakeupTrees::AddLast(Tree branch, Tree& tree) {
  Tree* last = &tree;
  while (*last != kEmpty) last = &branches_[*last].next;
  *last = branch;
}

// In their order: what a branch before can begin is followed there.
bool WakeupTrees::CoversAnyway(Sequence& sequence, Tree tree) const {
  for (Tree at = tree; at != kEmpty; at = branches_[at].next) {
    const std::optional<bool> begins = sequence.BeginsAnyway(branches_[at].turn);
    if (!begins) return false;
    if (*begins) return branches_[at].rest == kEmpty;
  }
  return false;
}

std::optional<uint32_t> WakeupTrees::Insert(Sequence& sequence, Tree& tree) {
  Tree inside = kEmpty;  // The branch whose rest is looked at.
  for (Tree at = tree; at != kEmpty;) {
    const Turn turn = branches_[at].turn;
    const Sequence::First first = sequence.CanBegin(turn);
    if (first == Sequence::First::kIfChosen) return turn.process;
    if (first == Sequence::First::kNo) {
      at = branches_[at].next;
      continue;
    }
    // What ends here is followed in all ways from there.
    if (branches_[at].rest == kEmpty) return std::nullopt;
    sequence.Begin(turn);
    if (sequence.empty()) return std::nullopt;
    inside = at;
    at = branches_[at].rest;
  }
  Tree rest = kEmpty;
  for (size_t i = sequence.size(); i-- > 0;) {
    const Tree made = Make(sequence.turn(i));
    branches_[made].rest = rest;
    rest = made;
  }
  AddLast(rest, inside == kEmpty ? tree : branches_[inside].rest);
  return std::nullopt;
}

}  // namespace foretell::search
