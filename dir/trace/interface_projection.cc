#include "foretell/dir/trace/interface_projection.h"

#include <optional>

namespace foretell::dir {
namespace {

using model::NodeId;
using model::NodeState;
using model::NodeStatus;
using model::Scope;

// Beyond, it takes longer to compare projections than it saves.
constexpr size_t kKeysMax = 500;

// Crashed nodes are visible as what survives; nodes that failed or never were are not visible.
bool IsVisible(const NodeState& state) {
  return state.status != NodeStatus::kFailed && state.status != NodeStatus::kAbsent;
}

}  // namespace

InterfaceProjection::InterfaceProjection(const model::Service& service, GrownNodeGraphs& grown,
                                         model::Budget& budget)
    : service_(service), pairs_(service.invariants().size()), precise_(grown.closed) {
  for (size_t i = 0; precise_ && i < pairs_.size(); ++i) {
    const model::InvariantInfo& info = service.invariants()[i];
    if (info.eventually || info.scope != Scope::kPair) continue;
    precise_ = FindPartners(i, grown, budget);
  }
}

bool InterfaceProjection::FindKeys(size_t invariant, GrownNodeGraphs& grown, model::Budget& budget,
                                   std::set<Key>& keys) const {
  constexpr uint64_t kStride = 1024;  // Nodes may have millions of states.
  uint64_t states = 0;
  for (uint32_t n = 0; n < service_.node_count(); ++n) {
    for (const model::StateId id : grown.graphs.States(NodeId(n))) {
      if (++states % kStride == 0 && !budget.Poll()) return false;
      const NodeState state = grown.table.StateOf(NodeId(n), id);
      if (!IsVisible(state)) continue;
      auto key = service_.Project(invariant, NodeId(n), state.body);
      if (key) keys.emplace(n, *std::move(key));
      if (keys.size() > kKeysMax) return false;
    }
  }
  return true;
}

bool InterfaceProjection::FindPartners(size_t invariant, GrownNodeGraphs& grown,
                                       model::Budget& budget) {
  std::set<Key> found;
  if (!FindKeys(invariant, grown, budget, found)) return false;
  const std::vector<Key> keys(found.begin(), found.end());
  Pairs& pairs = pairs_[invariant];
  for (const Key& key : keys) pairs[key];
  for (size_t b = 0; b < keys.size(); ++b) {
    for (size_t a = 0; a < b && keys[a].first < keys[b].first; ++a) {
      if (!budget.TakeStep()) return false;
      const std::optional<std::string> both[] = {keys[a].second, keys[b].second};
      if (!service_.Violates(invariant, both)) continue;
      pairs[keys[a]].push_back({NodeId(keys[b].first), SignatureOf(keys[b].second)});
      pairs[keys[b]].push_back({NodeId(keys[a].first), SignatureOf(keys[a].second)});
    }
  }
  return true;
}

Signature InterfaceProjection::PartnersSignature(size_t invariant, NodeId node,
                                                 const std::string& key,
                                                 const Components& components) const {
  const Pairs& pairs = pairs_[invariant];
  const auto found = pairs.find(Key(node.value(), key));
  if (!precise_ || found == pairs.end()) return SignatureOf(key);
  Signature sum;
  for (const Partner& partner : found->second) {
    if (components.of(partner.node) == components.of(node)) continue;
    sum += SignatureOf({{0, partner.node.value()}, partner.key});
  }
  return sum;
}

Signature InterfaceProjection::KeyOf(NodeId node, const NodeState& state,
                                     const Components& components) const {
  Signature sum;
  if (!IsVisible(state)) return sum;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const model::InvariantInfo& info = service_.invariants()[i];
    if (info.eventually || info.scope == Scope::kNode) continue;
    const std::optional<std::string> key = service_.Project(i, node, state.body);
    if (!key) continue;
    const Signature visible = info.scope == Scope::kPair
                                  ? PartnersSignature(i, node, *key, components)
                                  : SignatureOf(*key);
    if (visible != Signature()) sum += SignatureOf({{1, i}, visible});
  }
  return sum;
}

}  // namespace foretell::dir
