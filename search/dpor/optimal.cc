// Optimal dynamic partial-order reduction: source sets, sleep sets and wakeup trees (Abdulla,
// Aronis, Jonsson, Sagonas, JACM 2017, algorithm 2), over steps that have several outcomes. What a
// step comes to is not up to anybody: where a process is chosen freely it comes to all of them, and
// where a race is turned round, what was later does.

#include <algorithm>
#include <optional>
#include <utility>

#include "foretell/search/dpor/strategy.h"
#include "foretell/search/dpor/wakeup_trees.h"

namespace foretell::search {
namespace {

struct Node {
  WakeupTrees::Tree tree = WakeupTrees::kEmpty;
  // What is to be followed after the step that Next has chosen.
  WakeupTrees::Tree rest = WakeupTrees::kEmpty;
  size_t asleep = 0;  // Where its part of Optimal::asleep_ begins.
};

class Optimal final : public Strategy<Node> {
 public:
  Optimal(Execution& execution, Turns turns, uint32_t depth_max, const Follower& follower)
      : Strategy(execution, turns, depth_max, follower), sequence_(execution) {}

 private:
  // If nobody wants anything in particular, one process is enough to begin with. Nothing is asleep
  // then: what was, depends on something in the sequence that led here. So it goes; if not, what
  // begins here is followed from elsewhere, at least in part.
  void Choose(Node& node, std::span<const uint32_t> processes) override {
    for (const uint32_t process : processes) {
      bool awake = true;
      for (const Execution::Step& step : execution_.Steps(process)) {
        const Turn turn{process, step.key};
        if (Contains(Asleep(), turn)) {
          awake = false;
        } else {
          trees_.Add(turn, node.tree);
        }
      }
      if (awake) return;
    }
    if (node.tree == WakeupTrees::kEmpty) ++followed_.blocked;
  }

  bool Guided(const Node& node) const override { return node.tree != WakeupTrees::kEmpty; }

  const Execution::Step* Next(Node& node, uint32_t& process) override {
    if (node.tree == WakeupTrees::kEmpty) return nullptr;
    const Turn turn = trees_.First(node.tree);
    node.rest = trees_.TakeFirst(node.tree);
    process = turn.process;
    return execution_.Find(turn);
  }

  void Taken(Node& from, Node& next) override {
    followed_.wakeups_max = std::max(followed_.wakeups_max, trees_.size() + 1);
    next.asleep = asleep_.size();
    next.tree = std::exchange(from.rest, WakeupTrees::kEmpty);
    for (size_t i = from.asleep; i < next.asleep; ++i) {
      const Turn turn = asleep_[i];
      if (StillAsleep(execution_, turn)) asleep_.push_back(turn);
    }
  }

  void Return(Node&, Node& next) override {
    trees_.Clear(next.tree);  // Not empty where the depth was limited.
    asleep_.resize(next.asleep);
    asleep_.push_back(execution_.turn(execution_.size() - 1));
  }

  void Ended() override {
    for (size_t later = 0; later < execution_.size(); ++later) {
      for (const uint32_t first : execution_.races(later)) Reverse(first, later);
    }
  }

  // Has `later` come before `first`, if that is possible and not covered yet.
  void Reverse(size_t first, size_t later) {
    if (!sequence_.Reverse(first, later) || CoveredAnyway(first)) return;
    const uint32_t process = execution_.turn(later).process;
    for (const Execution::Step& way : sequence_.Ways()) {
      sequence_.Close(process, way);
      Wake(first);
      sequence_.Reopen();
    }
  }

  // Most are, and it shows without taking a step.
  bool CoveredAnyway(size_t first) {
    for (size_t i = node(first).asleep; i < node(first + 1).asleep; ++i) {
      if (sequence_.BeginsAnyway(asleep_[i]) == true) return true;
    }
    return trees_.CoversAnyway(sequence_, node(first).tree);
  }

  // Has the sequence followed from the state before `first`, or what of it is not covered. A turn
  // that can come first, of a process that the sequence leaves aside, covers only what goes on with
  // that turn: the sequence is then looked at with each of those that are possible after it.
  void Wake(size_t first) {
    const std::optional<uint32_t> chooser = WakeUnlessChosen(first);
    if (!chooser) return;
    sequence_.Restore();
    for (const Execution::Step& step : sequence_.StepsAfter(*chooser)) {
      sequence_.Close(*chooser, step);
      Wake(first);
      sequence_.Reopen();
    }
  }

  std::optional<uint32_t> WakeUnlessChosen(size_t first) {
    // The turn at hand covers it as well, if the later one has come to something else without it.
    covering_.assign(1, execution_.turn(first));
    const auto begin = asleep_.begin();
    covering_.insert(covering_.end(), begin + static_cast<std::ptrdiff_t>(node(first).asleep),
                     begin + static_cast<std::ptrdiff_t>(node(first + 1).asleep));
    for (const Turn turn : covering_) {
      const Sequence::First can = sequence_.CanBegin(turn);
      if (can == Sequence::First::kYes) return std::nullopt;
      if (can == Sequence::First::kIfChosen) return turn.process;
    }
    return trees_.Insert(sequence_, node(first).tree);
  }

  // What is asleep in the last node.
  std::span<const Turn> Asleep() { return std::span(asleep_).subspan(last().asleep); }

  WakeupTrees trees_;
  // Turns that need not come first, since all that follows is covered: for each node in turn.
  std::vector<Turn> asleep_;
  Sequence sequence_;
  std::vector<Turn> covering_;  // Memory to be used again.
};

}  // namespace

Followed FollowOptimal(Execution& execution, Turns turns, uint32_t depth_max,
                       const Follower& follower) {
  return Optimal(execution, turns, depth_max, follower).Run();
}

}  // namespace foretell::search
