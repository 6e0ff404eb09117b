#pragma once

#include <cstdint>
#include <vector>

namespace foretell::model {

// Which of the records kept elsewhere equals a given one: an open-addressing table of record
// numbers, four bytes a slot. Hashes only pick the place to look; the owner compares records, so
// collisions cost time and nothing else.
class IdIndex {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  IdIndex() : slots_(kSlotsMin, kNone) {}

  // The record with this hash for which same(record) holds, or kNone.
  template <class Same>
  uint32_t Find(uint64_t hash, Same same) const {
    for (size_t slot = hash & mask();; slot = (slot + 1) & mask()) {
      const uint32_t record = slots_[slot];
      if (record == kNone || same(record)) return record;
    }
  }

  // Adds a record that Find did not find. `hash_of` gives the hash of any record added before; it
  // is asked when the table grows.
  template <class HashOf>
  void Insert(uint64_t hash, uint32_t record, HashOf hash_of) {
    if (4 * (size_ + 1) > 3 * slots_.size()) Rebuild(2 * slots_.size(), hash_of);
    Place(hash, record);
    ++size_;
  }

  // Starts over with new hashes for the same records 0 .. size-1.
  template <class HashOf>
  void Rehash(HashOf hash_of) {
    Rebuild(slots_.size(), hash_of);
  }

  void Prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & mask()]); }
  uint64_t bytes() const { return slots_.size() * sizeof(uint32_t); }

 private:
  static constexpr size_t kSlotsMin = 64;
  size_t mask() const { return slots_.size() - 1; }

  void Place(uint64_t hash, uint32_t record) {
    size_t slot = hash & mask();
    while (slots_[slot] != kNone) slot = (slot + 1) & mask();
    slots_[slot] = record;
  }

  template <class HashOf>
  void Rebuild(size_t slot_count, HashOf hash_of) {
    // Records are numbered densely in the order of insertion: the old slots are not needed.
    slots_ = {};
    slots_.assign(slot_count, kNone);
    for (uint32_t record = 0; record < size_; ++record) Place(hash_of(record), record);
  }

  std::vector<uint32_t> slots_;
  size_t size_ = 0;
};

}  // namespace foretell::model
