#include "foretell/search/cover/cover_tree.h"

#include <utility>

namespace foretell::search {

uint32_t CoverTree::Add(const CoverNode& node, std::span<const Lift> lifts) {
  nodes_.push_back(node);
  lifts_begin_.push_back(static_cast<uint32_t>(lifts_.size()));
  lifts_.insert(lifts_.end(), lifts.begin(), lifts.end());
  return size() - 1;
}

uint32_t CoverTree::AddLoop(CoverLoop loop) {
  loops_.push_back(std::move(loop));
  return static_cast<uint32_t>(loops_.size()) - 1;
}

std::span<const Lift> CoverTree::LiftsOf(uint32_t number) const {
  const size_t begin = lifts_begin_[number];
  const size_t end = number + 1 < size() ? lifts_begin_[number + 1] : lifts_.size();
  return std::span(lifts_).subspan(begin, end - begin);
}

uint64_t CoverTree::bytes() const {
  return nodes_.capacity() * sizeof(CoverNode) + lifts_begin_.capacity() * sizeof(uint32_t) +
         lifts_.capacity() * sizeof(Lift) + loops_.capacity() * sizeof(CoverLoop);
}

}  // namespace foretell::search
