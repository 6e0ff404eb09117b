#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace foretell::model {

// A dense number that cannot be mistaken for a number of another kind.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : value_(value) {}
  constexpr uint32_t value() const { return value_; }
  constexpr size_t index() const { return value_; }
  friend constexpr auto operator<=>(Id, Id) = default;
  template <class H>
  friend H AbslHashValue(H h, Id id) {
    return H::combine(std::move(h), id.value_);
  }

 private:
  uint32_t value_ = 0;
};

using NodeId = Id<struct NodeTag>;        // 0 .. node_count - 1.
using StateId = Id<struct StateTag>;      // A node state; dense per node, not across nodes.
using MessageId = Id<struct MessageTag>;  // Sender, receiver and body of a message.
using ActionId = Id<struct ActionTag>;    // The body of an internal action.
using SendsId = Id<struct SendsTag>;      // The messages that one handler execution sends.
using KeyId = Id<struct KeyTag>;          // A projection of a node state; dense per invariant.

// Two nodes that change places.
struct Exchange {
  NodeId a;
  NodeId b;

  constexpr NodeId operator()(NodeId node) const { return node == a ? b : node == b ? a : node; }
  friend constexpr auto operator<=>(Exchange, Exchange) = default;
};

// The nodes from `first` up to, but not, `end`.
inline std::vector<NodeId> NodesFrom(uint32_t first, uint32_t end) {
  std::vector<NodeId> nodes;
  for (uint32_t n = first; n < end; ++n) nodes.emplace_back(n);
  return nodes;
}

// Two numbers as one, for hash maps.
constexpr uint64_t PairKey(uint32_t high, uint32_t low) {
  return static_cast<uint64_t>(high) << 32 | low;
}

}  // namespace foretell::model
