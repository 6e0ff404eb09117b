#include "dir/components.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "model/check.h"

namespace foretell::dir {
namespace {

using model::NodeId;

absl::Status BadWord(const std::string& word) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", word, "' is no node and no range of nodes like 3-5"));
}

// Appends the nodes of "3" or "3-5".
absl::Status AddRange(const std::string& word, uint32_t node_count, std::vector<NodeId>& nodes) {
  const std::vector<std::string> ends = absl::StrSplit(word, '-');
  uint32_t first = 0;
  if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first)) return BadWord(word);
  uint32_t last = first;
  if (ends.size() == 2 && !absl::SimpleAtoi(ends.back(), &last)) return BadWord(word);
  if (last < first) return BadWord(word);
  if (last >= node_count) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no node ", last, ", the last is ", node_count - 1));
  }
  for (uint32_t n = first; n <= last; ++n) nodes.push_back(NodeId(n));
  return absl::OkStatus();
}

}  // namespace

Components Components::Nodes(uint32_t node_count) {
  Groups groups;
  for (uint32_t n = 0; n < node_count; ++n) groups.push_back({NodeId(n)});
  return *Of(groups, node_count);
}

Components Components::Whole(uint32_t node_count) {
  Groups groups(1);
  for (uint32_t n = 0; n < node_count; ++n) groups[0].push_back(NodeId(n));
  return *Of(groups, node_count);
}

absl::StatusOr<Components> Components::Of(const Groups& groups, uint32_t node_count) {
  std::vector<std::optional<ComponentId>> of(node_count);
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) return absl::InvalidArgumentError("a component without nodes");
    for (const NodeId node : groups[g]) {
      FORETELL_CHECK(node.index() < node_count);
      if (of[node.index()]) {
        return absl::InvalidArgumentError(
            absl::StrCat("node ", node.value(), " is in two components"));
      }
      of[node.index()] = ComponentId(static_cast<uint32_t>(g));
    }
  }
  Components result;
  result.groups_ = groups;
  for (uint32_t n = 0; n < node_count; ++n) {
    if (!of[n]) return absl::InvalidArgumentError(absl::StrCat("node ", n, " is in no component"));
    result.of_node_.push_back(*of[n]);
  }
  return result;
}

absl::StatusOr<Components> Components::Parse(const std::string& text, uint32_t node_count) {
  Groups groups;
  for (const std::string& group : std::vector<std::string>(absl::StrSplit(text, '/'))) {
    groups.emplace_back();
    for (const std::string& word : std::vector<std::string>(absl::StrSplit(group, ','))) {
      if (absl::Status status = AddRange(word, node_count, groups.back()); !status.ok()) {
        return status;
      }
    }
  }
  return Of(groups, node_count);
}

std::string Components::ToString() const {
  return absl::StrJoin(groups_, "/", [](std::string* out, const std::vector<NodeId>& group) {
    absl::StrAppend(out, absl::StrJoin(group, ",", [](std::string* word, NodeId node) {
                      absl::StrAppend(word, node.value());
                    }));
  });
}

}  // namespace foretell::dir
