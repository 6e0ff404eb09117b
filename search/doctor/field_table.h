#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace foretell::search {

// A set of fields, by number.
class FieldSet {
 public:
  FieldSet() = default;
  explicit FieldSet(uint32_t field) { Insert(field); }
  void Insert(uint32_t field) {
    if (field >= bits_.size()) bits_.resize(field + 1);
    bits_[field] = true;
  }
  void Erase(uint32_t field) {
    if (field < bits_.size()) bits_[field] = false;
  }
  bool contains(uint32_t field) const { return field < bits_.size() && bits_[field]; }
  std::vector<uint32_t> Members() const;

 private:
  std::vector<bool> bits_;
};

// The fields that states have, as they are rendered: "log[3].ballot" is the field "log[].ballot" of
// an element of "log". Fields are numbered as they are first met, what they are part of before
// them.
class FieldTable {
 public:
  // A leaf by its full name: the fields that it is a part of, itself last, and for each of them a
  // hash of the name down to there, which says where in the state it is. The first `single` of them
  // are no parts of elements: every state has one place for each.
  struct Leaf {
    std::vector<uint32_t> fields;
    std::vector<uint64_t> places;
    size_t single = 0;
  };
  uint32_t LeafOf(const std::string& name);
  const Leaf& leaf(uint32_t leaf) const { return leaves_[leaf]; }

  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  const std::string& name(uint32_t field) const { return names_[field]; }
  // True iff `part` is `whole` or a part of it.
  bool IsWithin(uint32_t part, uint32_t whole) const;
  bool IsWithin(uint32_t part, const FieldSet& set) const;
  bool has_parts(uint32_t field) const { return has_parts_[field]; }
  std::vector<std::string> Names(const FieldSet& set) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t Add(std::string_view name, uint32_t whole);

  std::vector<std::string> names_;
  std::vector<uint32_t> wholes_;  // What a field is directly a part of; kNone.
  std::vector<bool> has_parts_;
  absl::flat_hash_map<std::string, uint32_t> numbers_;
  std::vector<Leaf> leaves_;
  absl::flat_hash_map<std::string, uint32_t> leaf_numbers_;
};

}  // namespace foretell::search
