// The part of InvariantTable that catches invariants which are not functions of what they look at.

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/invariant_table.h"

namespace foretell::model {
namespace {

constexpr size_t kStatesMax = 1024;  // Of a node.
constexpr uint32_t kKeysMax = 32;    // Of an invariant, of which every pair is asked for again.

}  // namespace

std::optional<std::string> InvariantTable::Unsteady() const {
  for (uint32_t n = 0; n < signature_.size(); ++n) {
    const size_t stride = signature_[n].size() / kStatesMax + 1;
    for (size_t s = 0; s < signature_[n].size(); s += stride) {
      // Twice in a row: an answer may come every other time.
      for (int asked = 0; asked < 2; ++asked) {
        const auto invariant = LooksDifferent(NodeId(n), StateId(static_cast<uint32_t>(s)));
        if (!invariant) continue;
        return absl::StrCat("invariant ", infos_[*invariant].name, ": the same state of node ", n,
                            " looked different to it", kSomethingElse);
      }
    }
  }
  for (size_t i = 0; i < pairs_.size(); ++i) {
    if (!JudgesDifferently(i)) continue;
    return absl::StrCat("invariant ", infos_[i].name,
                        ": the same two nodes broke it once, and once they did not",
                        kSomethingElse);
  }
  return std::nullopt;
}

std::optional<size_t> InvariantTable::LooksDifferent(NodeId node, StateId state) const {
  const uint32_t signature = signature_[node.index()][state.index()];
  if (signature == 0) return std::nullopt;
  const NodeState full = table_.StateOf(node, state);
  if (IsSilent(full)) return std::nullopt;
  for (size_t i = 0; i < assertions(); ++i) {
    if (infos_[i].eventually) continue;
    const auto key = Key(i, signature - 1);
    const auto again = table_.service().Project(i, node, full.body);
    if (again.has_value() != key.has_value()) return i;
    if (key && keys_[i].at(key->value()) != *again) return i;
  }
  return std::nullopt;
}

bool InvariantTable::JudgesDifferently(size_t invariant) const {
  const Interner& keys = keys_[invariant];
  for (uint32_t a = 0; a < keys.size() && a < kKeysMax; ++a) {
    for (uint32_t b = 0; b < keys.size() && b < kKeysMax; ++b) {
      const auto known = pairs_[invariant].find(PairKey(a, b));
      if (known == pairs_[invariant].end()) continue;
      const std::optional<std::string> bodies[] = {std::string(keys.at(a)),
                                                   std::string(keys.at(b))};
      for (int asked = 0; asked < 2; ++asked) {
        if (table_.service().Violates(invariant, bodies) != known->second) return true;
      }
    }
  }
  return false;
}

}  // namespace foretell::model
