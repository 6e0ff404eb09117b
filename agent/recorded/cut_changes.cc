#include "foretell/agent/recorded/cut_changes.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {
namespace {

using model::NodeId;
using model::NodeState;
using model::NodeStatus;

const char* StatusWord(NodeStatus status) {
  switch (status) {
    case NodeStatus::kUp: return "up";
    case NodeStatus::kDown: return "down";
    case NodeStatus::kFailed: return "failed";
    case NodeStatus::kAbsent: return "absent";
  }
  return "";
}

using Fields = std::map<std::string, std::string>;

Fields FieldsOf(const model::Service& service, NodeId node, const NodeState& state) {
  Fields fields = {{"node", StatusWord(state.status)}};
  if (state.status == NodeStatus::kAbsent || state.status == NodeStatus::kFailed) return fields;
  if (!service.ValidState(state.body)) {
    fields["node"] += ", in a state that is none of this service";
    return fields;
  }
  for (const model::Field& field : service.RenderState(node, state.body)) {
    fields[field.name] = field.value;
  }
  return fields;
}

// "chosen: 0 → 1", by name.
std::vector<std::string> Differences(const Fields& before, const Fields& after) {
  std::vector<std::string> changes;
  const auto value = [](const Fields& fields, const std::string& name) {
    const auto found = fields.find(name);
    return found == fields.end() ? std::string("-") : found->second;
  };
  Fields names = before;
  names.insert(after.begin(), after.end());
  for (const auto& [name, ignored] : names) {
    const std::string from = value(before, name);
    const std::string to = value(after, name);
    if (from != to) changes.push_back(absl::StrCat(name, ": ", from, " -> ", to));
  }
  return changes;
}

}  // namespace

std::vector<std::string> ChangesBetween(const model::Service& service,
                                        const std::vector<snapshot::RecordedSnapshot>& cuts) {
  std::vector<std::string> lines;
  for (size_t i = 1; i < cuts.size(); ++i) {
    const auto& before = cuts[i - 1].snapshot;
    const auto& after = cuts[i].snapshot;
    lines.push_back(absl::StrCat("cut ", before.number, " to cut ", after.number, " of ",
                                 FormatTime(cuts[i].taken)));
    const size_t nodes = std::min(before.cut.nodes.size(), after.cut.nodes.size());
    for (uint32_t n = 0; n < nodes; ++n) {
      const auto changes = Differences(FieldsOf(service, NodeId(n), before.cut.nodes[n]),
                                       FieldsOf(service, NodeId(n), after.cut.nodes[n]));
      if (changes.empty()) continue;
      lines.push_back(absl::StrCat("  node ", n, "  ", absl::StrJoin(changes, "; ")));
    }
  }
  return lines;
}

}  // namespace foretell::agent
