#include "foretell/agent/drawing/state_changes.h"

#include <algorithm>
#include <map>
#include <string>

#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

using model::Field;
using model::NodeState;
using model::NodeStatus;

constexpr const char* kAbsent = "-";

std::map<std::string, std::string> ByName(const std::vector<Field>& fields) {
  std::map<std::string, std::string> values;
  for (const Field& field : fields) values[field.name] = field.value;
  return values;
}

// Whether `name` is an empty optional on this side and has parts on the other: its parts already
// tell the story.
bool IsReplacedByParts(const std::string& name, const std::string& value,
                       const std::map<std::string, std::string>& other) {
  if (value != kAbsent || other.contains(name)) return false;
  const auto next = other.lower_bound(name + ".");
  return next != other.end() && next->first.starts_with(name + ".");
}

std::string ValueOr(const std::map<std::string, std::string>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? kAbsent : found->second;
}

std::vector<Change> FieldChanges(const std::vector<Field>& before,
                                 const std::vector<Field>& after) {
  const auto old_values = ByName(before);
  const auto new_values = ByName(after);
  std::vector<Change> changes;
  const auto add = [&](const Field& field, const auto& other) {
    const Change change{Printable(field.name, true),
                        Printable(ValueOr(old_values, field.name), true),
                        Printable(ValueOr(new_values, field.name), true),
                        !old_values.contains(field.name), !new_values.contains(field.name)};
    if (change.before == change.after || IsReplacedByParts(field.name, field.value, other)) return;
    changes.push_back(change);
  };
  for (const Field& field : after) add(field, old_values);
  for (const Field& field : before) {
    if (!new_values.contains(field.name)) add(field, new_values);
  }
  return changes;
}

std::string StatusText(const NodeState& state) {
  switch (state.status) {
    case NodeStatus::kUp: return "up";
    case NodeStatus::kDown: return "down";
    case NodeStatus::kFailed: return "failed: " + Printable(state.body, true);
    case NodeStatus::kAbsent: return "absent";
  }
  return "";
}

}  // namespace

std::vector<Change> StateChanges(const model::Service& service, model::NodeId node,
                                 const NodeState& before, const NodeState& after) {
  std::vector<Change> changes;
  if (before.status != after.status) {
    changes.push_back({"node", StatusText(before), StatusText(after)});
  }
  // The body of a failed node is the text of the failure, not a state.
  if (before.status == NodeStatus::kAbsent || after.status == NodeStatus::kAbsent) return changes;
  if (before.status == NodeStatus::kFailed || after.status == NodeStatus::kFailed) return changes;
  for (Change& change : FieldChanges(service.RenderState(node, before.body),
                                     service.RenderState(node, after.body))) {
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace foretell::agent
