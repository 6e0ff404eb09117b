// Algorithm 1 of Rosa, Merz and Quinson as it was implemented when its figures were measured: the
// walk up the stack passes over steps of the same process and states where the process cannot go or
// has gone. It misses executions (docs/decisions/0044-optimal-dpor.md) and is here to be compared
// with.

#include <algorithm>

#include "foretell/search/dpor/strategy.h"

namespace foretell::search {
namespace {

struct Node {
  std::vector<uint32_t> order;     // Processes that can go, as they take turns.
  std::vector<uint32_t> wanted;    // The interleave set.
  std::vector<uint32_t> outcomes;  // By process: how many of its steps were taken.
};

bool Contains(const std::vector<uint32_t>& processes, uint32_t process) {
  return std::find(processes.begin(), processes.end(), process) != processes.end();
}

class Paper final : public Strategy<Node> {
 public:
  using Strategy::Strategy;

 private:
  void Choose(Node& node, std::span<const uint32_t> processes) override {
    node.outcomes.assign(execution_.process_count(), 0);
    node.order.assign(processes.begin(), processes.end());
    node.wanted.push_back(node.order.front());
  }

  const Execution::Step* Next(Node& node, uint32_t& process) override {
    for (const uint32_t candidate : node.order) {
      const auto steps = execution_.Steps(candidate);
      if (!Contains(node.wanted, candidate)) continue;
      if (node.outcomes[candidate] == steps.size()) continue;
      process = candidate;
      return &steps[node.outcomes[candidate]++];
    }
    return nullptr;
  }

  void Return(Node&, Node&) override {
    const size_t last = execution_.size() - 1;
    const uint32_t process = execution_.turn(last).process;
    for (size_t i = last; i-- > 0;) {
      if (execution_.turn(i).process == process || !execution_.Dependent(i, last)) continue;
      Node& earlier = node(i);
      if (!Contains(earlier.order, process) || earlier.outcomes[process] > 0) continue;
      if (!Contains(earlier.wanted, process)) earlier.wanted.push_back(process);
      return;
    }
  }
};

}  // namespace

Followed FollowPaper(Execution& execution, Turns turns, uint32_t depth_max,
                     const Follower& follower) {
  return Paper(execution, turns, depth_max, follower).Run();
}

}  // namespace foretell::search
