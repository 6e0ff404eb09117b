#include "foretell/agent/sidecar/report/evidence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {
namespace {

using model::NodeId;
using model::NodeState;
using Keys = std::vector<std::optional<std::string>>;

bool Speaks(const NodeState& node) {
  return node.status == model::NodeStatus::kUp || node.status == model::NodeStatus::kDown;
}

std::map<std::string, std::string> FieldsOf(const model::Service& service, NodeId node,
                                            const NodeState& state) {
  std::map<std::string, std::string> fields;
  if (!Speaks(state)) return fields;
  for (const model::Field& field : service.RenderState(node, state.body)) {
    fields[field.name] = field.value;
  }
  return fields;
}

Keys KeysOf(const model::Service& service, size_t invariant, const model::SystemCut& cut) {
  Keys keys;
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    keys.push_back(Speaks(cut.nodes[n]) ? service.Project(invariant, NodeId(n), cut.nodes[n].body)
                                        : std::nullopt);
  }
  return keys;
}

}  // namespace

std::vector<std::string> BreakersIn(const model::Service& service, const model::SystemCut& cut,
                                    const std::string& invariant) {
  const auto infos = service.invariants();
  const auto info = std::find_if(infos.begin(), infos.end(),
                                 [&](const auto& one) { return one.name == invariant; });
  std::vector<std::string> sets;
  if (info == infos.end() || info->scope == model::Scope::kSystem) return sets;
  const auto index = static_cast<size_t>(info - infos.begin());
  const Keys keys = KeysOf(service, index, cut);
  Keys of_set;
  model::AnyNodeSet(
      info->scope, static_cast<uint32_t>(keys.size()),
      [&](uint32_t n) { return keys[n].has_value(); },
      [&](std::span<const uint32_t> nodes) {
        of_set.clear();
        for (const uint32_t n : nodes) of_set.push_back(keys[n]);
        if (service.Violates(index, of_set)) {
          sets.push_back(
              absl::StrCat(nodes.size() == 1 ? "node " : "nodes ", absl::StrJoin(nodes, " and ")));
        }
        return false;
      });
  return sets;
}

std::vector<std::string> ChangesFrom(const model::Service& service, const model::SystemCut& before,
                                     const model::SystemCut& after) {
  std::vector<std::string> changes;
  const size_t nodes = std::min(before.nodes.size(), after.nodes.size());
  for (uint32_t n = 0; n < nodes; ++n) {
    if (before.nodes[n].body == after.nodes[n].body) continue;
    const auto old = FieldsOf(service, NodeId(n), before.nodes[n]);
    for (const auto& [name, value] : FieldsOf(service, NodeId(n), after.nodes[n])) {
      const auto was = old.find(name);
      const std::string from = was == old.end() ? "-" : was->second;
      if (from != value) {
        changes.push_back(absl::StrCat("node ", n, " ", name, ": ", from, " -> ", value));
      }
    }
  }
  return changes;
}

std::vector<std::string> LastChanges(const model::Service& service, const model::SystemCut& start,
                                     const model::Path& path) {
  if (path.empty()) return {};
  const auto steps = model::Replay(service, start, path);
  if (!steps.ok()) return {};
  const model::SystemCut& before = steps->size() == 1 ? start : (*steps)[steps->size() - 2].after;
  return ChangesFrom(service, before, steps->back().after);
}

}  // namespace foretell::agent
