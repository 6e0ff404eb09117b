#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/id.h"

namespace foretell::dir {

using ComponentId = model::Id<struct ComponentTag>;

std::vector<model::NodeId> AllNodes(uint32_t node_count);

// A division of nodes into components. Messages within a component are its own affair.
class Components {
 public:
  using Groups = std::vector<std::vector<model::NodeId>>;

  // Every node on its own.
  static Components Nodes(uint32_t node_count);
  // All nodes together: there is no interface then, and a local trace is a global one.
  static Components Whole(uint32_t node_count);
  // InvalidArgument, naming the node, unless every node is in exactly one group.
  static absl::StatusOr<Components> Of(const Groups& groups, uint32_t node_count);
  // "0,1/2,3-5": groups by slashes, nodes by commas, ranges by dashes. "(0/1)/(2/3-5)": the same
  // groups, each of them divided in turn.
  static absl::StatusOr<Components> Parse(const std::string& text, uint32_t node_count);

  uint32_t count() const { return static_cast<uint32_t>(groups_.size()); }
  uint32_t node_count() const { return static_cast<uint32_t>(of_node_.size()); }
  // The component of a node. count() for a node that is in none, because this is the division of
  // one component.
  ComponentId of(model::NodeId node) const { return of_node_[node.index()]; }
  const std::vector<model::NodeId>& nodes(ComponentId component) const {
    return groups_[component.index()];
  }
  // The division of a component that is divided in turn; null if it is not.
  const Components* division(ComponentId component) const {
    return divisions_[component.index()].get();
  }
  // True iff some component is divided.
  bool is_divided() const;
  std::string ToString() const;

 private:
  friend class ComponentsReader;

  static absl::StatusOr<Components> SomeOf(const Groups& groups, uint32_t node_count);
  absl::Status CheckThatAllNodesAreIn() const;

  Groups groups_;
  std::vector<std::shared_ptr<const Components>> divisions_;  // By component.
  std::vector<ComponentId> of_node_;
};

}  // namespace foretell::dir
