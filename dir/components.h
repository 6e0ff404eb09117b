#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/id.h"

namespace foretell::dir {

using ComponentId = model::Id<struct ComponentTag>;

// Which nodes belong together. Messages within a component are its own affair.
class Components {
 public:
  using Groups = std::vector<std::vector<model::NodeId>>;

  // Every node on its own.
  static Components Nodes(uint32_t node_count);
  // All nodes together: there is no interface then, and a local trace is a global one.
  static Components Whole(uint32_t node_count);
  // InvalidArgument, naming the node, unless every node is in exactly one group.
  static absl::StatusOr<Components> Of(const Groups& groups, uint32_t node_count);
  // "0,1/2,3-5": groups by slashes, nodes by commas, ranges by dashes.
  static absl::StatusOr<Components> Parse(const std::string& text, uint32_t node_count);

  uint32_t count() const { return static_cast<uint32_t>(groups_.size()); }
  uint32_t node_count() const { return static_cast<uint32_t>(of_node_.size()); }
  ComponentId of(model::NodeId node) const { return of_node_[node.index()]; }
  const std::vector<model::NodeId>& nodes(ComponentId component) const {
    return groups_[component.index()];
  }
  std::string ToString() const;

 private:
  Groups groups_;
  std::vector<ComponentId> of_node_;
};

}  // namespace foretell::dir
