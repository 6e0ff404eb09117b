#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "foretell/tests/guarded/cluster.h"

namespace foretell::guarded {

// Looks at the true states of all nodes after each change, and holds the promise of decision 47
// against it: a set of nodes that one agent covers is not broken by what happens to one of them.
//
// An agent covers a node from the moment at which the node has joined until the node has given up
// on the agent, or the agent has lost the node; and a crash does not end that, for as long as the
// agent has not noticed it and, of stable invariants, until the node does something again.
class Judge final : public Cluster::Watcher {
 public:
  explicit Judge(Cluster& cluster);

  void Changed(uint32_t node) override;
  void Joined(uint32_t agent, uint32_t node) override;
  void Uncovered(uint32_t agent, uint32_t node) override { covers_[agent][node] = {}; }
  void Noticed(uint32_t agent, uint32_t node) override { covers_[agent][node].full = false; }
  void Forced(uint32_t node) override;

  // Promises that were not kept, for people.
  const std::vector<std::string>& broken_promises() const { return broken_promises_; }
  uint64_t violations() const { return violations_; }  // Sets that became broken, covered or not.
  uint64_t judged() const { return judged_; }          // Changes that a promise was about.

 private:
  using Keys = std::vector<std::optional<std::string>>;
  struct Cover {
    bool full = false;    // Of all invariants.
    bool stable = false;  // Of those that are stable.
  };
  void Judgement(uint32_t node, size_t i, const Keys& before, const Keys& after);
  bool Covers(uint32_t agent, uint32_t node, size_t i) const;
  // The views that the agent has to count with are broken already: it cannot promise anything.
  bool Tainted(uint32_t agent, size_t i) const { return tainted_.contains({agent, i}); }

  Cluster& cluster_;
  std::vector<Keys> keys_;                  // By guarded invariant, of all nodes, as they were.
  std::vector<std::vector<Cover>> covers_;  // By agent and node.
  std::vector<bool> down_;
  std::set<std::pair<uint32_t, size_t>> tainted_;
  std::vector<std::string> broken_promises_;
  uint64_t violations_ = 0;
  uint64_t judged_ = 0;
};

}  // namespace foretell::guarded
