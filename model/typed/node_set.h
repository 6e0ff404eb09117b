#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include "foretell/model/check.h"
#include "foretell/model/id.h"
#include "foretell/model/typed/field_type.h"

namespace foretell::model {

// A set of nodes in one integer, for handlers that run too often for a std::set<NodeId>. It is
// encoded as that integer and still known to hold nodes. At most 64 nodes.
class NodeSet {
 public:
  constexpr NodeSet() = default;
  // By bits: node n is 1 << n.
  constexpr explicit NodeSet(uint64_t bits) : bits_(bits) {}

  static constexpr uint32_t kNodesMax = 64;

  constexpr uint64_t value() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr uint32_t size() const { return static_cast<uint32_t>(std::popcount(bits_)); }
  bool contains(NodeId node) const { return (bits_ & BitOf(node)) != 0; }
  void insert(NodeId node) { bits_ |= BitOf(node); }
  void erase(NodeId node) { bits_ &= ~BitOf(node); }
  // The same with two nodes exchanged.
  NodeSet Exchanged(NodeId a, NodeId b) const {
    if (a.value() >= kNodesMax || b.value() >= kNodesMax || contains(a) == contains(b)) {
      return *this;
    }
    return NodeSet(bits_ ^ (BitOf(a) | BitOf(b)));
  }

  friend constexpr auto operator<=>(NodeSet, NodeSet) = default;

 private:
  static uint64_t BitOf(NodeId node) {
    FORETELL_CHECK(node.value() < kNodesMax);
    return uint64_t{1} << node.value();
  }

  uint64_t bits_ = 0;
};

template <>
inline constexpr bool kIsInteger<NodeSet> = true;

}  // namespace foretell::model
