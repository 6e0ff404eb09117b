#include "foretell/lmc/combinations.h"

#include <optional>
#include <span>
#include <utility>

namespace foretell::lmc {

using model::InvariantSet;
using model::KeyId;
using model::NodeId;
using model::Scope;

Combinations::Combinations(model::InvariantTable& invariants, const search::NodeGraphs& graphs,
                           uint32_t node_count)
    : invariants_(invariants),
      graphs_(graphs),
      node_count_(node_count),
      signatures_(node_count),
      by_state_(node_count),
      combined_(node_count, 0),
      choice_(node_count, 0) {}

void Combinations::CollectSignatures() {
  for (uint32_t n = 0; n < node_count_; ++n) {
    const auto states = graphs_.States(NodeId(n));
    for (size_t i = by_state_[n].size(); i < states.size(); ++i) {
      by_state_[n].push_back(invariants_.Signature(NodeId(n), states[i]));
      signatures_[n].insert(by_state_[n].back());
    }
  }
}

bool Combinations::Update(Combine combine, InvariantSet wanted, model::Budget& budget) {
  CollectSignatures();
  if (combine == Combine::kAll) return CombineAll(wanted, budget);
  for (size_t i = 0; i < invariants_.count(); ++i) {
    if ((wanted >> i & 1) != 0 && !CombineKeys(i, budget)) return false;
  }
  system_states_ = goals_.size();
  return true;
}

uint32_t Combinations::KeyCode(size_t invariant, uint32_t signature) const {
  const std::optional<KeyId> key = invariants_.Key(invariant, signature);
  return key ? key->value() + 1 : Goal::kNothing;
}

std::set<uint32_t> Combinations::KeysOf(size_t invariant, uint32_t node) const {
  std::set<uint32_t> keys;
  for (const uint32_t signature : signatures_[node]) keys.insert(KeyCode(invariant, signature));
  return keys;
}

void Combinations::AddIfViolated(size_t invariant, std::vector<uint32_t> keys) {
  std::vector<std::optional<KeyId>> present;
  for (const uint32_t key : keys) {
    if (key == Goal::kFree) continue;
    present.push_back(key == Goal::kNothing ? std::nullopt : std::optional(KeyId(key - 1)));
  }
  if (invariants_.Violates(invariant, present)) goals_.insert({invariant, std::move(keys)});
}

bool Combinations::CombineKeys(size_t invariant, model::Budget& budget) {
  const Scope scope = invariants_.info(invariant).scope;
  std::vector<uint32_t> keys(node_count_, Goal::kFree);
  if (scope == Scope::kSystem) {
    keys.clear();
    return CombineSystemKeys(invariant, keys, budget);
  }
  for (uint32_t a = 0; a < node_count_; ++a) {
    for (const uint32_t key_a : KeysOf(invariant, a)) {
      if (key_a == Goal::kNothing) continue;
      if (!budget.TakeStep()) return false;
      keys[a] = key_a;
      if (scope == Scope::kNode) AddIfViolated(invariant, keys);
      for (uint32_t b = a + 1; scope == Scope::kPair && b < node_count_; ++b) {
        for (const uint32_t key_b : KeysOf(invariant, b)) {
          keys[b] = key_b;
          if (key_b != Goal::kNothing) AddIfViolated(invariant, keys);
        }
        keys[b] = Goal::kFree;
      }
    }
    keys[a] = Goal::kFree;
  }
  return true;
}

bool Combinations::CombineSystemKeys(size_t invariant, std::vector<uint32_t>& keys,
                                     model::Budget& budget) {
  if (!budget.TakeStep()) return false;
  if (keys.size() == node_count_) {
    AddIfViolated(invariant, keys);
    return true;
  }
  for (const uint32_t key : KeysOf(invariant, static_cast<uint32_t>(keys.size()))) {
    keys.push_back(key);
    const bool done = CombineSystemKeys(invariant, keys, budget);
    keys.pop_back();
    if (!done) return false;
  }
  return true;
}

// A combination is new if at least one of its node states is. Counting them by the first node
// that is new meets each once (section 4.2, "System states").
bool Combinations::CombineAll(InvariantSet wanted, model::Budget& budget) {
  for (uint32_t fresh = 0; fresh < node_count_; ++fresh) {
    if (!CombineAllFrom(fresh, 0, wanted, budget)) return false;
  }
  for (uint32_t n = 0; n < node_count_; ++n) combined_[n] = by_state_[n].size();
  return true;
}

bool Combinations::CombineAllFrom(uint32_t fresh, uint32_t node, InvariantSet wanted,
                                  model::Budget& budget) {
  if (node == node_count_) {
    if (!budget.TakeStep()) return false;
    ++system_states_;
    const InvariantSet violated = invariants_.Violated(choice_) & wanted;
    for (size_t i = 0; violated != 0 && i < invariants_.count(); ++i) {
      if ((violated >> i & 1) != 0) AddGoals(i, choice_);
    }
    return true;
  }
  const size_t begin = node == fresh ? combined_[node] : 0;
  const size_t end = node < fresh ? combined_[node] : by_state_[node].size();
  for (size_t i = begin; i < end; ++i) {
    choice_[node] = by_state_[node][i];
    if (!CombineAllFrom(fresh, node + 1, wanted, budget)) return false;
  }
  return true;
}

void Combinations::AddGoals(size_t invariant, const std::vector<uint32_t>& signatures) {
  std::vector<uint32_t> codes;
  for (const uint32_t signature : signatures) codes.push_back(KeyCode(invariant, signature));
  const auto has_key = [&](uint32_t n) { return codes[n] != Goal::kNothing; };
  model::AnyNodeSet(invariants_.info(invariant).scope, node_count_, has_key,
                    [&](std::span<const uint32_t> nodes) {
                      std::vector<uint32_t> keys(node_count_, Goal::kFree);
                      for (const uint32_t n : nodes) keys[n] = codes[n];
                      AddIfViolated(invariant, std::move(keys));
                      return false;
                    });
}

}  // namespace foretell::lmc
