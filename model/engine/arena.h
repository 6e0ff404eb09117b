#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace foretell::model {

// Keeps runs of values in place for ever: spans handed out stay valid as long as the arena.
template <class T>
class Arena {
 public:
  std::span<const T> Add(std::span<const T> values) {
    if (values.empty()) return {};
    if (values.size() > free_.size()) {
      const size_t size = std::max(values.size(), size_t{1024});
      blocks_.push_back(std::make_unique<T[]>(size));
      free_ = {blocks_.back().get(), size};
      bytes_ += size * sizeof(T);
    }
    std::copy(values.begin(), values.end(), free_.begin());
    const std::span<const T> kept = free_.first(values.size());
    free_ = free_.subspan(values.size());
    return kept;
  }
  uint64_t bytes() const { return bytes_; }

 private:
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::span<T> free_;
  uint64_t bytes_ = 0;
};

}  // namespace foretell::model
