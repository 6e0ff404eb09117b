#include "foretell/dir/trace/components.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/model/check.h"
#include "foretell/model/symmetry/node_list.h"

namespace foretell::dir {

using model::NodeId;

std::vector<NodeId> AllNodes(uint32_t node_count) { return model::NodesFrom(0, node_count); }

Components Components::Nodes(uint32_t node_count) {
  Groups groups;
  for (uint32_t n = 0; n < node_count; ++n) groups.push_back({NodeId(n)});
  return *Of(groups, node_count);
}

Components Components::Whole(uint32_t node_count) {
  return *Of({AllNodes(node_count)}, node_count);
}

// Components of some of the nodes; the others are in none.
absl::StatusOr<Components> Components::SomeOf(const Groups& groups, uint32_t node_count) {
  const ComponentId none(static_cast<uint32_t>(groups.size()));
  Components result;
  result.groups_ = groups;
  result.divisions_.resize(groups.size());
  result.of_node_.assign(node_count, none);
  for (uint32_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) return absl::InvalidArgumentError("a component without nodes");
    for (const NodeId node : groups[g]) {
      FORETELL_CHECK(node.index() < node_count);
      if (result.of(node) != none) {
        return absl::InvalidArgumentError(
            absl::StrCat("node ", node.value(), " is in two components"));
      }
      result.of_node_[node.index()] = ComponentId(g);
    }
  }
  return result;
}

absl::StatusOr<Components> Components::Of(const Groups& groups, uint32_t node_count) {
  auto result = SomeOf(groups, node_count);
  if (!result.ok()) return result;
  if (absl::Status status = result->CheckThatAllNodesAreIn(); !status.ok()) return status;
  return result;
}

absl::Status Components::CheckThatAllNodesAreIn() const {
  for (uint32_t n = 0; n < node_count(); ++n) {
    if (of(NodeId(n)).value() < count()) continue;
    return absl::InvalidArgumentError(absl::StrCat("node ", n, " is in no component"));
  }
  return absl::OkStatus();
}

// The parser of Components::Parse.
class ComponentsReader {
 public:
  ComponentsReader(const std::string& text, uint32_t node_count)
      : text_(text), node_count_(node_count) {}

  absl::StatusOr<Components> Read() {
    auto all = ReadGroups();
    if (!all.ok()) return all.status();
    if (at_ < text_.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", text_.substr(at_), "' where a '/' or the end should be"));
    }
    if (absl::Status status = all->CheckThatAllNodesAreIn(); !status.ok()) return status;
    return all;
  }

 private:
  absl::StatusOr<Components> ReadGroups() {
    Components::Groups groups;
    std::vector<std::shared_ptr<const Components>> divisions;
    do {
      if (absl::Status status = ReadGroup(groups.emplace_back(), divisions.emplace_back());
          !status.ok()) {
        return status;
      }
    } while (Skip('/'));
    auto all = Components::SomeOf(groups, node_count_);
    if (all.ok()) all->divisions_ = std::move(divisions);
    return all;
  }

  absl::Status ReadGroup(std::vector<NodeId>& nodes, std::shared_ptr<const Components>& division) {
    if (!Skip('(')) return ReadNodes(nodes);
    if (++depth_ > kDepthMax) {
      return absl::InvalidArgumentError(
          absl::StrCat("components within components, more than ", kDepthMax, " deep"));
    }
    auto parts = ReadGroups();
    if (!parts.ok()) return parts.status();
    --depth_;
    if (!Skip(')')) return absl::InvalidArgumentError("a '(' without ')'");
    for (const auto& group : parts->groups_) nodes.insert(nodes.end(), group.begin(), group.end());
    division = std::make_shared<const Components>(*std::move(parts));
    return absl::OkStatus();
  }

  absl::Status ReadNodes(std::vector<NodeId>& nodes) {
    const size_t end = std::min(text_.find_first_of("/()", at_), text_.size());
    const std::string words = text_.substr(at_, end - at_);
    at_ = end;
    for (const std::string& word : std::vector<std::string>(absl::StrSplit(words, ','))) {
      const absl::Status status = model::AddNodes(word, node_count_, nodes);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  bool Skip(char sign) {
    if (at_ == text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  static constexpr int kDepthMax = 32;

  const std::string text_;
  const uint32_t node_count_;
  size_t at_ = 0;
  int depth_ = 0;
};

absl::StatusOr<Components> Components::Parse(const std::string& text, uint32_t node_count) {
  return ComponentsReader(text, node_count).Read();
}

bool Components::is_divided() const {
  return std::any_of(divisions_.begin(), divisions_.end(),
                     [](const auto& division) { return division != nullptr; });
}

std::string Components::ToString() const {
  std::string text;
  for (size_t g = 0; g < groups_.size(); ++g) {
    if (g > 0) text += "/";
    if (divisions_[g] != nullptr) {
      absl::StrAppend(&text, "(", divisions_[g]->ToString(), ")");
      continue;
    }
    text += absl::StrJoin(groups_[g], ",", [](std::string* word, NodeId node) {
      absl::StrAppend(word, node.value());
    });
  }
  return text;
}

}  // namespace foretell::dir
