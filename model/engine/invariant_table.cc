#include "foretell/model/engine/invariant_table.h"

#include "foretell/model/check.h"

namespace foretell::model {

InvariantTable::InvariantTable(TransitionTable& table) : table_(table) {
  const auto own = table.service().invariants();
  infos_.assign(own.begin(), own.end());
  infos_.push_back({.name = kLocalAssertions,
                    .text = "No handler throws or breaks a local assertion.",
                    .scope = Scope::kNode,
                    .stable = true});                         // A failed node stays failed.
  FORETELL_CHECK(infos_.size() <= 8 * sizeof(InvariantSet));  // See ValidateService.
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].eventually) continue;
    (infos_[i].when_stuck ? when_stuck_ : all_) |= InvariantSet{1} << i;
  }
  keys_ = std::vector<Interner>(infos_.size());
  pairs_.resize(infos_.size());
  signature_.resize(table.node_count());
}

uint32_t InvariantTable::Signature(NodeId node, StateId state) {
  std::vector<uint32_t>& known = signature_[node.index()];
  if (known.size() <= state.index()) known.resize(state.index() + 1, 0);
  if (known[state.index()] == 0) known[state.index()] = ComputeSignature(node, state) + 1;
  return known[state.index()] - 1;
}

uint32_t InvariantTable::ComputeSignature(NodeId node, StateId state) {
  const NodeState full = table_.StateOf(node, state);
  const bool failed = full.status == NodeStatus::kFailed;
  const bool silent = IsSilent(full);
  std::vector<uint32_t> keys(infos_.size(), 0);
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (i == assertions()) {
      if (failed) keys[i] = keys_[i].Intern("") + 1;
    } else if (!silent && !infos_[i].eventually) {
      const auto key = table_.service().Project(i, node, full.body);
      if (key) keys[i] = keys_[i].Intern(*key) + 1;
    }
  }
  return signatures_.Intern(keys);
}

std::optional<KeyId> InvariantTable::Key(size_t invariant, uint32_t signature) const {
  const uint32_t key = signatures_.at(signature)[invariant];
  if (key == 0) return std::nullopt;
  return KeyId(key - 1);
}

InvariantSet InvariantTable::Violated(std::span<const uint32_t> signatures) {
  const uint32_t id = violated_index_.Intern(signatures);
  if (id < violated_.size()) return violated_[id];
  InvariantSet violated = 0;
  for (size_t i = 0; i < infos_.size(); ++i) {
    if (((all_ | when_stuck_) >> i & 1) != 0 && EvaluateCombination(i, signatures)) {
      violated |= InvariantSet{1} << i;
    }
  }
  violated_.push_back(violated);
  return violated;
}

bool InvariantTable::EvaluateCombination(size_t invariant, std::span<const uint32_t> signatures) {
  // Where a node is absent, nobody knows that nothing is possible any more.
  if (infos_[invariant].when_stuck && table_.neighbourhood()) return false;
  std::vector<std::optional<KeyId>> keys;
  for (const uint32_t signature : signatures) keys.push_back(Key(invariant, signature));
  const auto violates = [&](std::span<const std::optional<KeyId>> of_set) {
    return Violates(invariant, of_set);
  };
  return !FirstBroken<KeyId>(infos_[invariant].scope, keys, violates).empty();
}

bool InvariantTable::Violates(size_t invariant, std::span<const std::optional<KeyId>> keys) {
  if (invariant == assertions()) return keys[0].has_value();
  std::vector<std::optional<std::string>> bodies;
  for (const auto& key : keys) {
    bodies.push_back(key ? std::optional<std::string>(keys_[invariant].at(key->value()))
                         : std::nullopt);
  }
  if (NeedsEveryNode(infos_[invariant].scope) && table_.neighbourhood()) return false;
  if (infos_[invariant].scope != Scope::kPair) {
    return table_.service().Violates(invariant, bodies);
  }
  const uint64_t pair = PairKey(keys[0]->value(), keys[1]->value());
  const auto [found, fresh] = pairs_[invariant].try_emplace(pair, false);
  if (fresh) found->second = table_.service().Violates(invariant, bodies);
  return found->second;
}

}  // namespace foretell::model
