// Optimal dynamic partial-order reduction: source sets, sleep sets and wakeup trees (Abdulla,
// Aronis, Jonsson, Sagonas, JACM 2017, algorithm 2), over steps that have several outcomes.

#include <algorithm>
#include <utility>

#include "foretell/search/dpor/strategy.h"
#include "foretell/search/dpor/wakeup_tree.h"

namespace foretell::search {
namespace {

struct Node {
  WakeupTree tree;
  std::vector<Turn> asleep;  // Those that need not come first: all that follows is covered.
  WakeupTree rest;           // What is to be followed after the step that Next has chosen.
};

class Optimal final : public Strategy<Node> {
 public:
  using Strategy::Strategy;

 private:
  // If nobody wants anything in particular, one process is enough to begin with.
  void Choose(Node& node) override {
    if (!node.tree.branches.empty()) return;
    for (const uint32_t process : InTurns(execution_, turns_)) {
      AddOutcomes(process, node);
      if (AllAwake(execution_, process, node.asleep)) return;
    }
    if (node.tree.branches.empty()) ++followed_.blocked;
  }

  const ProcessSpace::Step* Next(Node& node, uint32_t& process) override {
    if (node.tree.branches.empty()) return nullptr;
    WakeupTree::Branch branch = std::move(node.tree.branches.front());
    node.tree.branches.erase(node.tree.branches.begin());
    node.asleep.push_back(branch.turn);  // Nobody asks for it again.
    AddOutcomes(branch.turn.process, node);
    node.asleep.pop_back();
    node.rest = std::move(branch.rest);
    process = branch.turn.process;
    return execution_.Find(branch.turn);
  }

  void Taken(Node& from, Node& next) override {
    followed_.wakeups_max = std::max(followed_.wakeups_max, wakeups_);
    next.asleep = StillAsleep(execution_, from.asleep);
    next.tree = std::move(from.rest);
  }

  void Return(Node& node) override {
    node.asleep.push_back(execution_.turn(execution_.size() - 1));
    --wakeups_;
  }

  // What a step can come to is not up to anybody: who takes a turn takes all of them.
  void AddOutcomes(uint32_t process, Node& node) {
    for (const ProcessSpace::Step& step : execution_.Steps(process)) {
      const Turn turn{process, step.key};
      const auto& branches = node.tree.branches;
      const bool there = std::any_of(branches.begin(), branches.end(),
                                     [&](const auto& branch) { return branch.turn == turn; });
      if (there || Contains(node.asleep, turn)) continue;
      node.tree.branches.push_back({turn, {}});
      ++wakeups_;
    }
  }

  void Ended() override {
    node(execution_.size()).tree.branches.clear();
    for (size_t later = 0; later < execution_.size(); ++later) {
      for (const uint32_t first : execution_.races(later)) Reverse(first, later);
    }
  }

  // Has `later` come before `first`, if that is possible and not covered yet.
  void Reverse(size_t first, size_t later) {
    for (Sequence& sequence : Reversed(execution_, first, later)) {
      Node& earlier = node(first);
      const bool covered = std::any_of(earlier.asleep.begin(), earlier.asleep.end(),
                                       [&](Turn turn) { return sequence.CanBegin(turn); });
      if (!covered) wakeups_ += Insert(std::move(sequence), earlier.tree);
    }
  }

  uint64_t wakeups_ = 0;
};

}  // namespace

Followed FollowOptimal(Execution& execution, Turns turns, uint32_t depth_max,
                       const Follower& follower) {
  return Optimal(execution, turns, depth_max, follower).Run();
}

}  // namespace foretell::search
