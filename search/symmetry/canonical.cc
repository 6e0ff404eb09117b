#include "foretell/search/symmetry/canonical.h"

#include <algorithm>
#include <utility>

namespace foretell::search {

using model::NodeId;

Canonical::Canonical(GlobalSpace& space, const NodeClasses& classes)
    : exchanges_(space, classes),
      views_(space, exchanges_, classes),
      colours_(views_.member_count()),
      images_(kImagesMax + 1, Image{GlobalState(space.table().node_count())}) {
  uint32_t member = 0;
  for (const std::vector<NodeId>& nodes : classes) {
    for (size_t i = 1; i < nodes.size(); ++i) left_.push_back(member++);
    ++member;
  }
}

void Canonical::Find(GlobalState& state, Word* word) {
  std::fill(colours_.begin(), colours_.end(), 0);
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const NodeId node(n);
    state.set_state(node, exchanges_.TextFree(node, state.state(node)));
    views_.AddState(node, state.state(node), colours_);
    views_.AddMailbox(node, state.mailbox(node), colours_);
  }
  Sort(state, word);
  ties_.clear();
  for (uint32_t x = 0; x < left_.size(); ++x) {
    if (colours_[left_[x]] == colours_[left_[x] + 1]) ties_.push_back(x);
  }
  if (!ties_.empty()) TryTies(state, word);
}

// By exchanging neighbours: a state that follows a sorted one is almost sorted.
void Canonical::Sort(GlobalState& state, Word* word) {
  for (bool sorted = false; !sorted;) {
    sorted = true;
    for (uint32_t x = 0; x < left_.size(); ++x) {
      uint64_t& left = colours_[left_[x]];
      uint64_t& right = colours_[left_[x] + 1];
      if (left <= right) continue;
      std::swap(left, right);
      exchanges_.Apply(x, state);
      if (word != nullptr) word->push_back(x);
      sorted = false;
    }
  }
}

void Canonical::TryTies(GlobalState& state, Word* word) {
  images_[0].state = state;
  size_t count = 1;
  size_t least = 0;
  for (size_t i = 0; i < count; ++i) {
    for (const uint32_t x : ties_) {
      if (count == kImagesMax) break;
      Image& next = images_[count];
      next.state = images_[i].state;
      exchanges_.Apply(x, next.state);
      const auto end = images_.begin() + static_cast<std::ptrdiff_t>(count);
      const bool known = std::any_of(images_.begin(), end,
                                     [&](const Image& image) { return image.state == next.state; });
      if (known) continue;
      next.from = static_cast<uint32_t>(i);
      next.exchange = x;
      if (std::ranges::lexicographical_compare(next.state.fields(),
                                               images_[least].state.fields())) {
        least = count;
      }
      ++count;
    }
  }
  if (least == 0) return;
  state = images_[least].state;
  if (word == nullptr) return;
  const size_t before = word->size();
  for (size_t i = least; i != 0; i = images_[i].from) word->push_back(images_[i].exchange);
  std::reverse(word->begin() + static_cast<std::ptrdiff_t>(before), word->end());
}

}  // namespace foretell::search
