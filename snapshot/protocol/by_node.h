#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "foretell/model/id.h"

namespace foretell::snapshot {

// One T for each of some nodes, by rising node. A table and not a tree: every message of a cluster
// looks into two of them. Nodes are numbered from 0 without great gaps.
template <class T>
class ByNode {
 public:
  // Null if there is none.
  T* Find(model::NodeId node) {
    const size_t index = node.index();
    return index < values_.size() && values_[index] ? &*values_[index] : nullptr;
  }
  const T* Find(model::NodeId node) const { return const_cast<ByNode*>(this)->Find(node); }
  // Replaces what was there.
  T& Set(model::NodeId node, T value) {
    if (node.index() >= values_.size()) values_.resize(node.index() + 1);
    return values_[node.index()].emplace(std::move(value));
  }
  size_t size_max() const { return values_.size(); }
  // `visit(node, value)` for each that is there.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (uint32_t n = 0; n < values_.size(); ++n) {
      if (values_[n]) visit(model::NodeId(n), *values_[n]);
    }
  }

 private:
  std::vector<std::optional<T>> values_;
};

}  // namespace foretell::snapshot
