#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace foretell::dir {

// A sequence that only grows, and whose elements stay where they are. Chunks double in size: few
// allocations for millions of elements, and little memory for a few.
template <class T>
class Chunks {
 public:
  T& emplace_back() {
    if (chunks_.empty() || chunks_.back().size() == chunks_.back().capacity()) {
      chunks_.emplace_back().reserve(kFirst << (chunks_.size() - 1));
    }
    ++size_;
    return chunks_.back().emplace_back();
  }
  T& operator[](size_t index) { return const_cast<T&>(std::as_const(*this)[index]); }
  const T& operator[](size_t index) const {
    const size_t shifted = index + kFirst;
    const auto chunk = static_cast<size_t>(std::bit_width(shifted) - std::bit_width(kFirst));
    return chunks_[chunk][shifted - (kFirst << chunk)];
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kFirst = 64;
  std::vector<std::vector<T>> chunks_;
  size_t size_ = 0;
};

}  // namespace foretell::dir
