#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "foretell/model/engine/id_index.h"
#include "foretell/model/hash.h"

namespace foretell::model {

// Distinct byte strings, numbered 0, 1, 2, ... in the order in which they first came. Exact: equal
// hashes are told apart by comparing the bytes. Views live as long as the interner.
class Interner {
 public:
  using Hash = uint64_t (*)(std::string_view);
  explicit Interner(Hash hash = &HashBytes) : hash_(hash) {}

  uint32_t Intern(std::string_view bytes);
  std::string_view at(uint32_t id) const { return {entries_[id].data, entries_[id].size}; }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
  // All memory held, index included.
  uint64_t bytes() const {
    return block_bytes_ + entries_.capacity() * sizeof(Entry) + index_.bytes();
  }

 private:
  struct Entry {
    const char* data;
    uint32_t size;
    uint32_t hash;  // The low half: settles most comparisons without touching the bytes.
  };
  const char* Store(std::string_view bytes);

  Hash hash_;
  std::vector<Entry> entries_;
  IdIndex index_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  size_t free_size_ = 0;
  uint64_t block_bytes_ = 0;
};

// The same for sequences of 32-bit numbers.
class SequenceInterner {
 public:
  uint32_t Intern(std::span<const uint32_t> values) {
    return interner_.Intern(
        {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(uint32_t)});
  }
  std::span<const uint32_t> at(uint32_t id) const {
    const std::string_view bytes = interner_.at(id);
    return {reinterpret_cast<const uint32_t*>(bytes.data()), bytes.size() / sizeof(uint32_t)};
  }
  uint32_t size() const { return interner_.size(); }
  uint64_t bytes() const { return interner_.bytes(); }

 private:
  Interner interner_;
};

}  // namespace foretell::model
