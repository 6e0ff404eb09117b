#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "foretell/search/conflicts.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/slot_set.h"

namespace foretell::search {

// Events of several nodes that can be taken before all others, where those of one node cannot
// (ClosedSets): what they conflict with may still be sent. Then whatever has to happen before it is
// sent is part of the set as well, at whatever node. So a set S has members that are enabled and
// members that are not, such that
//  - what an enabled member conflicts with is a member, and
//  - of each other member something is a member that comes before it, however it comes about.
// While nothing of S happens none of its members becomes possible, and all that happens commutes
// with those that are: they are a persistent set.
class StubbornSets {
 public:
  // Both outlive this. REQUIRES: the graphs that `conflicts` has seen are closed.
  StubbornSets(GlobalSpace& space, const Conflicts& conflicts);

  // A smallest one of those that begin with one event of `moves`, which is all that is enabled in
  // `state`: places in `moves`. Nothing if none leaves something out.
  std::optional<SlotSet> Of(const GlobalState& state, std::span<const Move> moves);

 private:
  struct Member {
    model::NodeId node;
    uint32_t number;  // As Conflicts has it.
  };
  struct Node {
    std::vector<uint32_t> places;  // By number, from 1: among all that is enabled. 0: it is not.
    SlotSet members;
    SlotSet hopeless;  // Nothing with one of these is a set, here.
  };

  bool Number(std::span<const Move> moves);
  void Forget(std::span<const Move> moves);
  bool Close(const GlobalState& state, std::span<const Move> moves, uint32_t first);
  bool CloseEnabled(const GlobalState& state, const Move& move);
  bool CloseOther(const GlobalState& state, const Member& member);
  bool Add(model::NodeId node, size_t number);

  GlobalSpace& space_;
  const Conflicts& conflicts_;
  const bool streams_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> numbers_;  // By place.
  std::vector<Member> open_;       // What was not looked at.
  SlotSet chosen_;                 // Places of enabled members, ...
  size_t size_ = 0;                // ... which are so many ...
  size_t size_max_ = 0;            // ... and may be.
};

}  // namespace foretell::search
