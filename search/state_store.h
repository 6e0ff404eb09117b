#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "foretell/model/engine/id_index.h"

namespace foretell::search {

// The visited set: distinct tuples of small numbers, each with the tuple it was first reached
// from, numbered in the order in which they came. Fields are packed into as many bits as their
// largest value so far needs; a larger value repacks everything, which happens a few times in a
// search and then never again.
class StateStore {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit StateStore(size_t field_count);

  struct Inserted {
    uint32_t index;
    bool fresh;
  };
  // REQUIRES: fields.size() is the field count. `parent` is kNone for the first state.
  Inserted Insert(std::span<const uint32_t> fields, uint32_t parent);
  // The same in two steps, for many tuples at once: memory is slow, and while one tuple is staged
  // the places where the others will be looked up are on their way.
  void Stage(std::span<const uint32_t> fields);
  // Inserts all staged tuples in order and hands each result to `arrive`.
  template <class Arrive>
  void InsertStaged(uint32_t parent, Arrive arrive) {
    const size_t count = staged_hashes_.size();
    for (size_t i = 0; i < count; ++i) PrefetchRecord(staged_hashes_[i]);
    for (size_t i = 0; i < count; ++i) arrive(i, InsertStagedOne(i, parent));
    ClearStage();
  }
  // The index of a tuple; kNone if it was never inserted.
  uint32_t Find(std::span<const uint32_t> fields) const;
  void Load(uint32_t index, std::span<uint32_t> fields) const;
  uint32_t parent(uint32_t index) const { return record(index)[record_words_]; }
  void set_parent(uint32_t index, uint32_t parent) {
    blocks_[index / kBlockRecords][(index % kBlockRecords) * stride() + record_words_] = parent;
  }

  uint32_t size() const { return size_; }
  // All memory held: records, parents, index.
  uint64_t bytes() const;

 private:
  static constexpr uint32_t kBlockRecords = 1 << 16;
  using Block = std::unique_ptr<uint32_t[]>;

  const uint32_t* record(uint32_t index) const {
    return &blocks_[index / kBlockRecords][(index % kBlockRecords) * stride()];
  }
  size_t stride() const { return record_words_ + 1; }
  bool Fits(std::span<const uint32_t> fields) const;
  void Widen(std::span<const uint32_t> fields);
  void Pack(std::span<const uint32_t> fields, uint32_t* words) const;
  void Unpack(const uint32_t* words, std::span<uint32_t> fields) const;
  uint64_t HashOf(const uint32_t* words) const;
  uint32_t* Append();
  void PrefetchRecord(uint64_t hash) const;
  Inserted InsertStagedOne(size_t i, uint32_t parent);
  void PackStaged(size_t i);
  void ClearStage();

  std::vector<uint8_t> widths_;  // Bits per field.
  size_t record_words_ = 1;
  std::vector<Block> blocks_;
  uint32_t size_ = 0;
  model::IdIndex index_;
  std::vector<uint32_t> staged_fields_;
  std::vector<uint32_t> staged_words_;
  std::vector<uint64_t> staged_hashes_;
  mutable std::vector<uint32_t> wanted_words_;  // Of Find.
};

}  // namespace foretell::search
