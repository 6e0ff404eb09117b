#include "foretell/search/doctor/field_table.h"

#include <algorithm>
#include <utility>

#include "foretell/model/hash.h"

namespace foretell::search {
namespace {

// Where the part of a name that begins at `begin` ends: before a dot or a bracket, or behind the
// brackets that it begins with. A key in brackets may have any of these in it.
size_t EndOfPart(std::string_view name, size_t begin) {
  if (name[begin] != '[') return std::min(name.find_first_of(".[", begin + 1), name.size());
  size_t open = 0;
  for (size_t at = begin; at < name.size(); ++at) {
    if (name[at] == '[') ++open;
    if (name[at] == ']' && --open == 0) return at + 1;
  }
  return name.size();
}

}  // namespace

std::vector<uint32_t> FieldSet::Members() const {
  std::vector<uint32_t> members;
  for (uint32_t field = 0; field < bits_.size(); ++field) {
    if (bits_[field]) members.push_back(field);
  }
  return members;
}

// A field ends before an index and before a dot; "log[]" is no field, but the place of an element.
uint32_t FieldTable::LeafOf(const std::string& name) {
  const auto [known, fresh] = leaf_numbers_.try_emplace(name, leaves_.size());
  if (!fresh) return known->second;
  Leaf leaf;
  std::string general;
  uint32_t whole = kNone;
  for (size_t at = 0; at < name.size();) {
    const size_t end = EndOfPart(name, at);
    if (name[at] == '[') {
      general += "[]";
    } else {
      general.append(name, at, end - at);
      whole = Add(general, whole);
      leaf.fields.push_back(whole);
      leaf.places.push_back(model::HashBytes(std::string_view(name).substr(0, end)));
      if (general.find('[') == std::string::npos) leaf.single = leaf.fields.size();
    }
    at = end;
  }
  leaves_.push_back(std::move(leaf));
  return known->second;
}

uint32_t FieldTable::Add(std::string_view name, uint32_t whole) {
  const auto [known, fresh] = numbers_.try_emplace(std::string(name), size());
  if (fresh) {
    names_.emplace_back(name);
    wholes_.push_back(whole);
    has_parts_.push_back(false);
    if (whole != kNone) has_parts_[whole] = true;
  }
  return known->second;
}

bool FieldTable::IsWithin(uint32_t part, uint32_t whole) const {
  return IsWithin(part, FieldSet(whole));
}

bool FieldTable::IsWithin(uint32_t part, const FieldSet& set) const {
  for (uint32_t field = part; field != kNone; field = wholes_[field]) {
    if (set.contains(field)) return true;
  }
  return false;
}

std::vector<std::string> FieldTable::Names(const FieldSet& set) const {
  std::vector<std::string> names;
  for (const uint32_t field : set.Members()) names.push_back(names_[field]);
  return names;
}

}  // namespace foretell::search
