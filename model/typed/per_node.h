#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/typed/field_type.h"

namespace foretell::model {

// A value for each node, by node. A vector with numbers as indices does not say that they are
// nodes, and then nobody knows how to exchange two of them (Service::Interchangeable).
template <class T>
class PerNode {
 public:
  PerNode() = default;
  explicit PerNode(uint32_t node_count, const T& value = T()) : values_(node_count, value) {}

  T& operator[](NodeId node) { return values_[node.index()]; }
  const T& operator[](NodeId node) const { return values_[node.index()]; }
  size_t size() const { return values_.size(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  // By number, for encoding and rendering.
  std::vector<T>& values() { return values_; }
  const std::vector<T>& values() const { return values_; }

  // The two values change places, if there are both.
  void Exchange(NodeId a, NodeId b) {
    if (a.index() >= size() || b.index() >= size()) return;
    std::swap(values_[a.index()], values_[b.index()]);
  }

  friend auto operator<=>(const PerNode&, const PerNode&) = default;

 private:
  std::vector<T> values_;
};

template <class T>
inline constexpr bool kIsContainer<PerNode<T>> = true;

}  // namespace foretell::model
