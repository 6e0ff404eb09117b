#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace foretell::search {

// A set of small numbers. Sets that hold the same numbers compare equal however they came about.
class SlotSet {
 public:
  bool Test(size_t slot) const {
    return slot / 64 < words_.size() && (words_[slot / 64] >> slot % 64 & 1) != 0;
  }
  void Set(size_t slot) {
    if (words_.size() <= slot / 64) words_.resize(slot / 64 + 1, 0);
    words_[slot / 64] |= uint64_t{1} << slot % 64;
  }
  void Reset(size_t slot) {
    if (slot / 64 < words_.size()) words_[slot / 64] &= ~(uint64_t{1} << slot % 64);
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  // The first 64 numbers, by bit.
  uint64_t low() const { return words_.empty() ? 0 : words_[0]; }
  bool empty() const { return words_.empty(); }
  void Clear() { words_.clear(); }

  bool IsSubsetOf(const SlotSet& other) const {
    if (words_.size() > other.words_.size()) return false;
    uint64_t beyond = 0;
    for (size_t i = 0; i < words_.size(); ++i) beyond |= words_[i] & ~other.words_[i];
    return beyond == 0;
  }
  // The same for the part of this that is in `mask`, too.
  bool IsSubsetWithin(const SlotSet& mask, const SlotSet& other) const {
    const size_t size = std::min(words_.size(), mask.words_.size());
    for (size_t i = 0; i < size; ++i) {
      const uint64_t allowed = i < other.words_.size() ? other.words_[i] : 0;
      if ((words_[i] & mask.words_[i] & ~allowed) != 0) return false;
    }
    return true;
  }
  bool Intersects(const SlotSet& other) const {
    const size_t size = std::min(words_.size(), other.words_.size());
    for (size_t i = 0; i < size; ++i) {
      if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
  }
  // Returns whether this grew.
  bool UnionWith(const SlotSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
    uint64_t added = 0;
    for (size_t i = 0; i < other.words_.size(); ++i) {
      added |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return added != 0;
  }
  void IntersectWith(const SlotSet& other) {
    words_.resize(std::min(words_.size(), other.words_.size()));
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }
  template <class F>
  void ForEach(F f) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) {
        f(i * 64 + static_cast<size_t>(std::countr_zero(word)));
      }
    }
  }

  friend bool operator==(const SlotSet&, const SlotSet&) = default;
  template <class H>
  friend H AbslHashValue(H h, const SlotSet& set) {
    return H::combine(std::move(h), set.words_);
  }
  // Beyond the object itself.
  uint64_t heap_bytes() const {
    return words_.capacity() > kInline ? words_.capacity() * sizeof(uint64_t) : 0;
  }

 private:
  static constexpr size_t kInline = 2;
  absl::InlinedVector<uint64_t, kInline> words_;  // The last word is never 0.
};

}  // namespace foretell::search
