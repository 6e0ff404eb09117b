// Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson,
// Sagonas, JACM 2017, algorithm 1).

#include <algorithm>
#include <utility>

#include "foretell/search/dpor/strategy.h"
#include "foretell/search/dpor/wakeup_tree.h"

namespace foretell::search {
namespace {

struct Node {
  std::vector<uint32_t> wanted;  // Processes, in the order in which they were asked for.
  std::vector<Turn> asleep;
};

class Source final : public Strategy<Node> {
 public:
  using Strategy::Strategy;

 private:
  void Choose(Node& node) override {
    for (const uint32_t process : InTurns(execution_, turns_)) {
      if (NextOf(process, node) != nullptr) node.wanted.push_back(process);
      if (AllAwake(execution_, process, node.asleep)) return;
    }
    if (node.wanted.empty()) ++followed_.blocked;
  }

  // A step of `process` that is not covered.
  const ProcessSpace::Step* NextOf(uint32_t process, const Node& node) {
    for (const ProcessSpace::Step& step : execution_.Steps(process)) {
      if (!Contains(node.asleep, {process, step.key})) return &step;
    }
    return nullptr;
  }

  const ProcessSpace::Step* Next(Node& node, uint32_t& process) override {
    for (const uint32_t candidate : node.wanted) {
      process = candidate;
      if (const ProcessSpace::Step* const step = NextOf(candidate, node)) return step;
    }
    return nullptr;
  }

  void Taken(Node& from, Node& next) override {
    const size_t last = execution_.size() - 1;
    // By value: trying turns runs over it.
    const std::vector<uint32_t> races = execution_.races(last);
    for (const uint32_t first : races) Reverse(first, last);
    next.asleep = StillAsleep(execution_, from.asleep);
  }

  void Return(Node& node) override {
    node.asleep.push_back(execution_.turn(execution_.size() - 1));
  }

  // Has the last event come before `first`: somebody begins at `first` who can lead there.
  void Reverse(size_t first, size_t last) {
    std::vector<Sequence> reversed = Reversed(execution_, first, last);
    if (reversed.empty()) return;
    std::vector<uint32_t> initials;
    for (const Turn turn : reversed.front().turns()) {
      if (reversed.front().CanBegin(turn)) initials.push_back(turn.process);
    }
    std::vector<uint32_t>& wanted = node(first).wanted;
    const bool there = std::any_of(initials.begin(), initials.end(), [&](uint32_t process) {
      return std::find(wanted.begin(), wanted.end(), process) != wanted.end();
    });
    if (!there) wanted.push_back(initials.front());
  }
};

}  // namespace

Followed FollowSource(Execution& execution, Turns turns, uint32_t depth_max,
                      const Follower& follower) {
  return Source(execution, turns, depth_max, follower).Run();
}

}  // namespace foretell::search
