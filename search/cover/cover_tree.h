#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/id.h"
#include "foretell/search/cover/bags.h"

namespace foretell::search {

// A system state with what can be in flight, and the step that led there from its parent.
struct CoverNode {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t system = 0;
  BagId bag{0};
  uint32_t parent = kNone;  // Has a smaller number.
  uint32_t twin = kNone;    // The nearest node above with the same system state.
  uint32_t depth = 0;
  model::NodeId node{0};
  model::EventId event;
  model::Step step = {model::StateId(0), model::SendsId(0)};
};

// The branch from a node to one below it with the same system state and no fewer messages: it can
// be taken again and again, wherever there is what it needs. Nodes that do not move in it may be in
// any state, and messages that it does not take need not be there.
struct CoverLoop {
  static constexpr uint32_t kAny = UINT32_MAX;
  uint32_t above = 0;
  uint32_t below = 0;
  size_t lifts = 0;                     // Of the node below: those that the branch ends with.
  uint64_t steps = 0;                   // Of the branch, loops within it taken once.
  std::vector<uint32_t> states;         // By node.
  std::vector<model::MessageId> takes;  // By rising id.
  BagId needs{0};                       // What there is above of those.
  BagId gains{0};                       // What it makes more of, in any number.
};

// A loop that was taken at a node, any number of times.
struct Lift {
  uint32_t loop;
  BagId before;  // The node's bag without it.
};

// The tree of Karp and Miller: every node stands for real states with its system state, in which
// there are as many messages as its bag says, and as many of those in any number as one likes.
class CoverTree {
 public:
  uint32_t Add(const CoverNode& node, std::span<const Lift> lifts);
  // The node below may be the one that is added next.
  uint32_t AddLoop(CoverLoop loop);
  const CoverLoop& loop(uint32_t number) const { return loops_[number]; }
  uint32_t loop_count() const { return static_cast<uint32_t>(loops_.size()); }
  const CoverNode& operator[](uint32_t number) const { return nodes_[number]; }
  // In the order in which they were taken.
  std::span<const Lift> LiftsOf(uint32_t number) const;
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  uint64_t bytes() const;

 private:
  std::vector<CoverNode> nodes_;
  std::vector<uint32_t> lifts_begin_;  // By node.
  std::vector<Lift> lifts_;
  std::vector<CoverLoop> loops_;
};

}  // namespace foretell::search
