#include "foretell/search/cover/unroll.h"

#include <algorithm>
#include <vector>

namespace foretell::search {
namespace {

using model::MessageId;

// Walks up the tree, from the end of the path to its beginning, and keeps count of the messages
// that what comes later needs.
//
// Why it ends: let a loop lead from a node A down to a node C, and be taken at a node whose bag is
// `before` without it. A message that it is taken for has a finite count in A, and in C more, or
// any number. If more, each turn makes that much more: loops within it make no more and no less of
// that message, or there would be any number of it. If any number, a loop within it has been taken
// for that message, and is now taken as often as it is needed. Either way the need for it comes
// down to what A has, of which `before` has no less. What else a turn needs is there, too, since A
// has it; the need for messages that A has in any number is left to the loops above. And a loop
// consists of nodes that were there before whoever takes it, so that loops within loops have an
// end.
class Walk {
 public:
  Walk(const model::TransitionTable& table, const Bags& bags, const CoverTree& tree,
       size_t steps_max)
      : table_(table), bags_(bags), tree_(tree), steps_max_(steps_max) {
    needed_.resize(table.message_count());
  }

  // False if there are too many steps.
  bool Up(uint32_t below, size_t lifts, uint32_t above) {
    for (; below != above; lifts = tree_.LiftsOf(below).size()) {
      while (lifts > 0) {
        if (!Turn(below, --lifts)) return false;
      }
      if (tree_[below].parent == CoverNode::kNone) return true;
      if (path_.size() == steps_max_) return false;
      Back(tree_[below]);
      below = tree_[below].parent;
    }
    return true;
  }

  model::Path Take() {
    std::reverse(path_.begin(), path_.end());
    return std::move(path_);
  }

 private:
  // Takes loop number `lift` of node `below` as often as there is need.
  bool Turn(uint32_t below, size_t lift) {
    const auto lifts = tree_.LiftsOf(below);
    const BagId before = lifts[lift].before;
    const BagId after = lift + 1 < lifts.size() ? lifts[lift + 1].before : tree_[below].bag;
    const CoverLoop& loop = tree_.loop(lifts[lift].loop);
    while (Lacks(before, after)) {
      if (!Up(loop.below, loop.lifts, loop.above)) return false;
    }
    return true;
  }

  // True iff more is needed of something than `before` has, of which `after` has any number.
  bool Lacks(BagId before, BagId after) const {
    for (const Bags::Entry& entry : bags_.Content(after)) {
      if (entry.count != Bags::kOmega) continue;
      const uint32_t had = bags_.Count(before, entry.message);
      if (had != Bags::kOmega && needed_[entry.message.index()] > had) return true;
    }
    return false;
  }

  // The step into `node`: what it sends need not be there before it, what it takes must be.
  void Back(const CoverNode& node) {
    for (const model::Batch& batch : table_.Batches(node.step.sends)) {
      for (const MessageId message : table_.Messages(batch.list)) {
        uint64_t& needed = needed_[message.index()];
        needed -= std::min<uint64_t>(needed, bags_.copies_per_send());
      }
    }
    if (node.event.is_deliver()) ++needed_[node.event.message().index()];
    path_.push_back(table_.PathStepOf(node.node, node.event, node.step));
  }

  const model::TransitionTable& table_;
  const Bags& bags_;
  const CoverTree& tree_;
  const size_t steps_max_;
  std::vector<uint64_t> needed_;  // By message.
  model::Path path_;              // From its end.
};

}  // namespace

std::optional<model::Path> Unroll(const model::TransitionTable& table, const Bags& bags,
                                  const CoverTree& tree, uint32_t target, size_t steps_max) {
  Walk walk(table, bags, tree, steps_max);
  if (!walk.Up(target, tree.LiftsOf(target).size(), CoverNode::kNone)) return std::nullopt;
  return walk.Take();
}

}  // namespace foretell::search
