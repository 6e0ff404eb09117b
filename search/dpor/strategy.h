#pragma once

#include <algorithm>
#include <cstdint>
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
  // For the first time in a state from which it goes on.
  virtual void Choose(Node& node) = 0;
  // The next step to take; null if there is none any more. `process` is whose it is.
  virtual const ProcessSpace::Step* Next(Node& node, uint32_t& process) = 0;
  // The last step was taken from `node`, which is above it; `next` is the new one.
  virtual void Taken(Node&, Node&) {}
  // The execution has come to its end, or as far as it may go.
  virtual void Ended() {}
  // The last step was followed in all ways and is about to be taken back, to `node`.
  virtual void Return(Node& node) = 0;

  Node& node(size_t depth) { return nodes_[depth].node; }

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
    if (!execution_.AnyEnabled()) {
      ++followed_.traces;
      if (!follower_.end()) return false;
      Ended();
    } else if (execution_.size() >= depth_max_) {
      followed_.finished = false;
      ended_early_ = true;
      Ended();
    } else {
      Choose(nodes_.back().node);
    }
    return true;
  }

  // Takes a step, or goes back. False: enough.
  bool GoOn() {
    uint32_t process = 0;
    const bool early = std::exchange(ended_early_, false);
    const ProcessSpace::Step* const step = early ? nullptr : Next(nodes_.back().node, process);
    if (step == nullptr) {
      nodes_.pop_back();
      if (nodes_.empty()) return true;
      Return(nodes_.back().node);
      execution_.Truncate(execution_.size() - 1);
      return true;
    }
    execution_.Push(process, *step);
    ++followed_.transitions;
    Entry next{{}, false};
    Taken(nodes_.back().node, next.node);
    nodes_.push_back(std::move(next));
    return follower_.step();
  }

  const uint32_t depth_max_;
  const Follower& follower_;
  std::vector<Entry> nodes_;
  bool ended_early_ = false;  // Nothing follows the node at the end.
};

}  // namespace foretell::search
