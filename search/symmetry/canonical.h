#pragma once

#include <cstdint>
#include <vector>

#include "foretell/search/symmetry/exchanges.h"
#include "foretell/search/symmetry/views.h"

namespace foretell::search {

// Exchanges, one after the other.
using Word = std::vector<uint32_t>;

// The one global state that stands for all its images. Nodes of a class are sorted by what the
// whole state has to do with them (Views); of nodes that this does not tell apart all orders are
// tried, and the least image is taken. Most of them are really alike, and no order makes a
// difference.
class Canonical {
 public:
  // The space outlives this.
  Canonical(GlobalSpace& space, const NodeClasses& classes);

  Exchanges& exchanges() { return exchanges_; }
  // Makes of `state` the one that stands for it; appends to `word`, if given, the way there.
  void Find(GlobalState& state, Word* word = nullptr);

  // Where there are more images to be tried, the least of these is taken: some states then have
  // several that stand for them, which costs states and is never wrong (Bosnacki and others).
  static constexpr size_t kImagesMax = 24;

  uint64_t bytes() const { return exchanges_.bytes() + views_.bytes(); }

 private:
  struct Image {
    GlobalState state;
    uint32_t from = 0;      // The image that it was made of, ...
    uint32_t exchange = 0;  // ... and by what.
  };

  void Sort(GlobalState& state, Word* word);
  void TryTies(GlobalState& state, Word* word);

  Exchanges exchanges_;
  Views views_;
  std::vector<uint32_t> left_;     // By exchange: the member on its left; on its right is the next.
  std::vector<uint64_t> colours_;  // By member.
  std::vector<uint32_t> ties_;     // Exchanges of members that look the same.
  std::vector<Image> images_;      // Used again and again, so that nothing is allocated.
};

}  // namespace foretell::search
