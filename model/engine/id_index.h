#pragma once

#include <cstdint>
#include <vector>

#include "foretell/model/check.h"

namespace foretell::model {

// Finds the one of the records kept elsewhere that equals a given one: an open-addressing table of
// record numbers, four bytes a slot. The bits of a slot that the number does not need hold a piece
// of the hash: most records that differ are told apart without touching them. Hashes only pick the
// place to look; the owner compares records, so collisions cost time and nothing else.
class IdIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  IdIndex() : slots_(size_t{1} << kBitsMin, kEmpty), bits_(kBitsMin) {}

  // The record with this hash for which same(record) holds, or kNone.
  template <class Same>
  uint32_t Find(uint64_t hash, Same same) const {
    const uint32_t tag = Tag(hash);
    for (size_t slot = hash & mask();; slot = (slot + 1) & mask()) {
      const uint32_t entry = slots_[slot];
      if (entry == kEmpty) return kNone;
      const uint32_t record = entry & static_cast<uint32_t>(mask());
      if ((entry ^ record) == tag && same(record)) return record;
    }
  }

  // Adds a record that Find did not find; records are numbered 0, 1, 2, ... in that order.
  // `hash_of` gives the hash of any record added before; it is asked when the table grows.
  template <class HashOf>
  void Insert(uint64_t hash, uint32_t record, HashOf hash_of) {
    if (4 * (size_ + 1) > 3 * slots_.size()) Grow(hash_of);
    Place(hash, record);
    ++size_;
  }

  // Two hints for who looks up many records: first the slot, then the record that is likely there.
  void Prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }
  uint32_t Likely(uint64_t hash) const {
    const uint32_t entry = slots_[hash & mask()];
    return entry == kEmpty ? kNone : entry & static_cast<uint32_t>(mask());
  }

  uint64_t bytes() const { return slots_.size() * sizeof(uint32_t); }

 private:
  static constexpr int kBitsMin = 6;
  // No entry: record numbers stay below three quarters of the slots.
  static constexpr uint32_t kEmpty = UINT32_MAX;
  size_t mask() const { return slots_.size() - 1; }
  uint32_t Tag(uint64_t hash) const {
    return static_cast<uint32_t>(hash >> 32) & ~static_cast<uint32_t>(mask());
  }

  void Place(uint64_t hash, uint32_t record) {
    size_t slot = hash & mask();
    while (slots_[slot] != kEmpty) slot = (slot + 1) & mask();
    slots_[slot] = Tag(hash) | record;
  }

  template <class HashOf>
  void Grow(HashOf hash_of) {
    ++bits_;
    FORETELL_CHECK(bits_ <= 32);
    slots_ = {};  // The records know their hashes: the old slots are not needed.
    slots_.assign(size_t{1} << bits_, kEmpty);
    for (uint32_t record = 0; record < size_; ++record) Place(hash_of(record), record);
  }

  std::vector<uint32_t> slots_;
  int bits_;
  size_t size_ = 0;
};

}  // namespace foretell::model
