// Dynamic partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson,
// Sagonas, JACM 2017, algorithm 1).

#include <algorithm>
#include <utility>

#include "foretell/search/dpor/sequence.h"
#include "foretell/search/dpor/strategy.h"

namespace foretell::search {
namespace {

struct Node {
  std::vector<uint32_t> wanted;  // Processes, in the order in which they were asked for.
  std::vector<Turn> asleep;
};

class Source final : public Strategy<Node> {
 public:
  Source(Execution& execution, Turns turns, uint32_t depth_max, const Follower& follower)
      : Strategy(execution, turns, depth_max, follower), sequence_(execution) {}

 private:
  // If all that one process can come to is awake, that one is enough. If something is asleep,
  // others have to begin as well: what comes before it can be what makes it worth while.
  void Choose(Node& node, std::span<const uint32_t> processes) override {
    for (const uint32_t process : processes) {
      const auto steps = execution_.Steps(process);
      const auto asleep = std::count_if(steps.begin(), steps.end(), [&](const auto& step) {
        return Contains(node.asleep, {process, step.key});
      });
      if (asleep < static_cast<std::ptrdiff_t>(steps.size())) node.wanted.push_back(process);
      if (asleep == 0) return;
    }
    if (node.wanted.empty()) ++followed_.blocked;
  }

  // A step of `process` that is not covered.
  const Execution::Step* NextOf(uint32_t process, const Node& node) {
    for (const Execution::Step& step : execution_.Steps(process)) {
      if (!Contains(node.asleep, {process, step.key})) return &step;
    }
    return nullptr;
  }

  const Execution::Step* Next(Node& node, uint32_t& process) override {
    for (const uint32_t candidate : node.wanted) {
      process = candidate;
      if (const Execution::Step* const step = NextOf(candidate, node)) return step;
    }
    return nullptr;
  }

  void Taken(Node& from, Node& next) override {
    const size_t last = execution_.size() - 1;
    for (const uint32_t first : execution_.races(last)) Reverse(first, last);
    for (const Turn turn : from.asleep) {
      if (StillAsleep(execution_, turn)) next.asleep.push_back(turn);
    }
  }

  void Return(Node& node, Node&) override {
    node.asleep.push_back(execution_.turn(execution_.size() - 1));
  }

  // Has the last event come before `first`: somebody begins at `first` who can lead there.
  void Reverse(size_t first, size_t last) {
    if (!sequence_.Reverse(first, last)) return;
    const auto ways = sequence_.Ways();
    if (ways.empty()) return;
    sequence_.Close(execution_.turn(last).process, ways.front());
    std::vector<uint32_t> initials;
    for (size_t i = 0; i < sequence_.size(); ++i) {
      if (sequence_.Free(i)) initials.push_back(sequence_.turn(i).process);
    }
    std::vector<uint32_t>& wanted = node(first).wanted;
    const bool there = std::any_of(initials.begin(), initials.end(), [&](uint32_t process) {
      return std::find(wanted.begin(), wanted.end(), process) != wanted.end();
    });
    if (!there) wanted.push_back(initials.front());
  }

  Sequence sequence_;
};

}  // namespace

Followed FollowSource(Execution& execution, Turns turns, uint32_t depth_max,
                      const Follower& follower) {
  return Source(execution, turns, depth_max, follower).Run();
}

}  // namespace foretell::search
