#include "foretell/search/doctor/dependence.h"

#include "absl/container/flat_hash_map.h"

namespace foretell::search {
namespace {

// So many states must be foretold by one that was met before, ...
constexpr uint64_t kForetoldEnough = 20;
// ... and most of them: what has a value of its own in every state determines anything.
constexpr uint64_t kForetoldOneIn = 2;

bool Determines(Samples samples, const FieldSet& set, const FieldSet& field) {
  uint64_t rows = 0;
  uint64_t foretold = 0;
  for (const auto& sample : samples) {
    absl::flat_hash_map<uint64_t, uint64_t> known;
    for (const Sample::Row& row : sample->rows()) {
      const uint64_t value = sample->Only(row, field);
      const auto [entry, fresh] = known.try_emplace(sample->Only(row, set), value);
      if (entry->second != value) return false;
      ++rows;
      foretold += fresh ? 0 : 1;
    }
  }
  return foretold >= kForetoldEnough && foretold * kForetoldOneIn >= rows;
}

}  // namespace

std::vector<uint32_t> FunctionOf(Samples samples, const FieldTable& table, uint32_t field,
                                 std::span<const uint32_t> candidates) {
  std::vector<uint32_t> others;
  for (const uint32_t other : candidates) {
    if (!table.IsWithin(other, field) && !table.IsWithin(field, other)) others.push_back(other);
  }
  for (const uint32_t one : others) {
    if (Determines(samples, FieldSet(one), FieldSet(field))) return {one};
  }
  for (size_t i = 0; i < others.size(); ++i) {
    for (size_t j = i + 1; j < others.size(); ++j) {
      FieldSet both(others[i]);
      both.Insert(others[j]);
      if (Determines(samples, both, FieldSet(field))) return {others[i], others[j]};
    }
  }
  return {};
}

}  // namespace foretell::search
