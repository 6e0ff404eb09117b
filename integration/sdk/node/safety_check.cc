#include "foretell/integration/sdk/node/safety_check.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;
using model::NodeState;
using model::Scope;
using snapshot::Mode;

absl::Status CheckCut(const model::Service& service, const snapshot::SafetyCut& cut) {
  if (cut.cut.nodes.size() != service.node_count()) {
    return absl::InvalidArgumentError(absl::StrCat("safety cut has ", cut.cut.nodes.size(),
                                                   " nodes, the service ", service.node_count()));
  }
  for (size_t n = 0; n < cut.cut.nodes.size(); ++n) {
    const NodeState& node = cut.cut.nodes[n];
    if (IsSilent(node) || service.ValidState(node.body)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("safety cut: node ", n, " has a state that is not one of this service"));
  }
  if (cut.lease.count() <= 0 || cut.lease > FilterSet::kLeaseMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("safety cut: a lease of ", cut.lease.count(), " ms is not within 24 hours"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status SafetyCheck::Set(const snapshot::SafetyCut& cut, Time now) {
  if (cut.modes.empty()) {
    watched_.clear();
    return absl::OkStatus();
  }
  const absl::Status status = CheckCut(service_, cut);
  if (!status.ok()) return status;
  const bool neighbourhood = IsNeighbourhood(cut.cut);
  std::vector<Watched> watched;
  const auto infos = service_.invariants();
  for (const auto& [name, mode] : cut.modes) {
    const auto info = std::find_if(infos.begin(), infos.end(),
                                   [&name = name](const auto& i) { return i.name == name; });
    if (info == infos.end() || info->eventually) {
      return absl::InvalidArgumentError(
          absl::StrCat("safety cut: this service has no safety invariant ", name));
    }
    if (mode != Mode::kShadow && mode != Mode::kEnforce) continue;
    // What the absent nodes would say is not known.
    if (model::NeedsEveryNode(info->scope) && neighbourhood) continue;
    // The other nodes have moved on since the cut. What they said then still holds only if it is
    // never taken back; the rest is counted, not vetoed.
    const bool holds = info->stable || info->scope == Scope::kNode;
    Watched one{static_cast<size_t>(info - infos.begin()), holds ? mode : Mode::kShadow, {}};
    for (uint32_t n = 0; n < cut.cut.nodes.size(); ++n) {
      const NodeState& node = cut.cut.nodes[n];
      const bool skipped = IsSilent(node) || NodeId(n) == self_;
      one.keys.push_back(skipped ? std::nullopt
                                 : service_.Project(one.invariant, NodeId(n), node.body));
    }
    watched.push_back(std::move(one));
  }
  watched_ = std::move(watched);
  until_ = now + cut.lease;
  return absl::OkStatus();
}

bool SafetyCheck::Active(Time now) {
  if (!watched_.empty() && now >= until_) watched_.clear();
  return !watched_.empty();
}

// Sets without this node are none of its business: it did not break them.
bool SafetyCheck::Violates(const Watched& watched, const Key& own) const {
  std::vector<Key> keys = watched.keys;
  keys[self_.index()] = own;
  return !model::FirstBroken(service_, watched.invariant, keys, self_.value()).empty();
}

SafetyCheck::Finding SafetyCheck::Compare(const model::LiveNode& before,
                                          const model::LiveNode& after) const {
  Finding finding;
  for (const Watched& watched : watched_) {
    if (watched.mode <= finding.mode) continue;
    const Key old_key = before.Project(watched.invariant);
    const Key new_key = after.Project(watched.invariant);
    if (old_key == new_key || !Violates(watched, new_key) || Violates(watched, old_key)) continue;
    finding = {watched.mode, service_.invariants()[watched.invariant].name};
  }
  return finding;
}

}  // namespace foretell::integration::sdk
