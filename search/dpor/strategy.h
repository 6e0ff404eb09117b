#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "foretell/search/dpor/strategies.h"

namespace foretell::search {

// The one loop of all strategies: depth first, a node for each state of the execution.
template <class Node>
class Strategy {
 public:
  Strategy(Execution& execution, Turns turns, uint32_t depth_max, const Follower& follower)
      : execution_(execution), turns_(turns), depth_max_(depth_max), follower_(follower) {}
  virtual ~Strategy() = default;

  Followed Run() {
    followed_.finished = true;
    nodes_.push_back({{}, false});
    bool goes_on = true;
    while (goes_on && !nodes_.empty()) {
      if (!std::exchange(nodes_.back().entered, true) && !Enter()) break;
      goes_on = GoOn();
    }
    followed_.finished = followed_.finished && nodes_.empty();
    return followed_;
  }

 protected:
  // Whether it is known already how to go on from `node`.
  virtual bool Guided(const Node&) const { return false; }
  // For the first time in a state from which `processes` can go on, in the order of turns.
  virtual void Choose(Node& node, std::span<const uint32_t> processes) = 0;
  // The next step to take; null if there is none any more. `process` is whose it is.
  virtual const Execution::Step* Next(Node& node, uint32_t& process) = 0;
  // The last step was taken from `node`, which is above it; `next` is the new one.
  virtual void Taken(Node&, Node&) {}
  // The execution has come to its end, or as far as it may go.
  virtual void Ended() {}
  // The last step was followed in all ways and is about to be taken back, from `next` to `node`.
  virtual void Return(Node& node, Node& next) = 0;

  Node& node(size_t depth) { return nodes_[depth].node; }
  Node& last() { return nodes_.back().node; }

  Execution& execution_;
  const Turns turns_;
  Followed followed_;

 private:
  struct Entry {
    Node node;
    bool entered = false;
  };

  bool Enter() {
    followed_.depth = std::max<uint64_t>(followed_.depth, execution_.size());
    const bool guided = Guided(last());
    std::span<const uint32_t> processes;
    if (!guided) processes = execution_.InTurns(turns_);
    if (!guided && processes.empty()) {
      ++followed_.traces;
      if (!follower_.end()) return false;
      Ended();
    } else if (execution_.size() >= depth_max_) {
      followed_.finished = false;
      ended_early_ = true;
      Ended();
    } else if (!guided) {
      Choose(last(), processes);
    }
    return true;
  }

  // Takes a step, or goes back. False: enough.
  bool GoOn() {
    uint32_t process = 0;
    const bool early = std::exchange(ended_early_, false);
    const Execution::Step* const step = early ? nullptr : Next(last(), process);
    if (step == nullptr) {
      Entry left = std::move(nodes_.back());
      nodes_.pop_back();
      if (nodes_.empty()) return true;
      Return(last(), left.node);
      execution_.Truncate(execution_.size() - 1);
      return true;
    }
    execution_.Push(process, *step);
    ++followed_.transitions;
    Entry next{{}, false};
    Taken(last(), next.node);
    nodes_.push_back(std::move(next));
    if (execution_.space().held() > follower_.held_max) execution_.Forget();
    return follower_.step();
  }

  const uint32_t depth_max_;
  const Follower& follower_;
  std::vector<Entry> nodes_;
  bool ended_early_ = false;  // Nothing follows the node at the end.
};

}  // namespace foretell::search
