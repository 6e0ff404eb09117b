#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "foretell/dir/ids/chunks.h"
#include "foretell/dir/trace/run.h"
#include "foretell/model/engine/arena.h"

namespace foretell::dir {

// A tree of prefixes of traces: the events that were scheduled to extend each, and those that need
// not be. There are millions of nodes, so lists of a node are chained or shared instead of being
// vectors of its own.
class TraceTree {
 public:
  using Guide = std::vector<Candidate>;  // The events to come next, for the reversal of a race.

  TraceTree() { nodes_.emplace_back(); }

  struct Choice {
    Candidate candidate;
    uint32_t children = kNone;  // The first of as many as there are outcomes, once followed.
    uint32_t next = kNone;      // Choice of the same node.
    std::unique_ptr<Guide> guide;
  };
  // Choices of a node, in the order in which they were scheduled; kNone if there is none.
  uint32_t first_choice(uint32_t node) const { return nodes_[node].first; }
  Choice& choice(uint32_t index) { return choices_[index]; }
  const Choice& choice(uint32_t index) const { return choices_[index]; }

  // Does nothing if the candidate was scheduled before.
  void Schedule(uint32_t node, const Candidate& candidate, Guide guide);
  bool IsScheduled(uint32_t node, const Candidate& candidate) const;

  // Adds `count` nodes that the choice leads to from `node`. Candidates that are `asleep` lead to
  // traces found elsewhere; the guide is that of the choice.
  void Grow(uint32_t node, uint32_t choice, uint32_t count, std::span<const Candidate> asleep);
  std::span<const Candidate> asleep(uint32_t node) const { return nodes_[node].asleep; }
  bool IsAsleep(uint32_t node, const Candidate& candidate) const;
  Guide TakeGuide(uint32_t node);

  uint64_t bytes() const { return bytes_ + sleepers_.bytes(); }

 private:
  struct Node {
    uint32_t first = kNone;  // Choices.
    uint32_t last = kNone;
    std::span<const Candidate> asleep;
    std::unique_ptr<Guide> guide;
  };

  Chunks<Node> nodes_;
  Chunks<Choice> choices_;
  model::Arena<Candidate> sleepers_;
  uint64_t bytes_ = 0;  // Without sleepers.
};

}  // namespace foretell::dir
