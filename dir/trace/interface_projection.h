#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/components.h"
#include "foretell/dir/trace/grown_node_graphs.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::dir {

// The part of a node state that other components must see, so that invariants can be checked over
// global skeletons (section 6.2): its interface key. It is less than the projections of all
// invariants: those that concern nodes of the component only are checked where the component is
// explored, and two projections have the same key if they break the same invariants together with
// any state that other nodes may come to. Does not change once made; for all threads.
class InterfaceProjection {
 public:
  // If the graphs are not closed, or the budget does not last, projections that concern other
  // components all have different keys. The service outlives this.
  InterfaceProjection(const model::Service& service, GrownNodeGraphs& grown, model::Budget& budget);

  // True iff the graphs were closed and the analysis finished within the budget.
  bool precise() const { return precise_; }

  // The interface key of the node in that state. Zero if other components need to see nothing.
  Signature KeyOf(model::NodeId node, const model::NodeState& state,
                  const Components& components) const;

 private:
  using Key = std::pair<uint32_t, std::string>;  // Node and projection.
  struct Partner {
    model::NodeId node;
    Signature key;
  };
  // Partners that break the invariant together with a projection, by that projection.
  using Pairs = absl::flat_hash_map<Key, std::vector<Partner>>;
  // Both are false if there are too many projections, or the budget is spent.
  bool FindPartners(size_t invariant, GrownNodeGraphs& grown, model::Budget& budget);
  bool FindKeys(size_t invariant, GrownNodeGraphs& grown, model::Budget& budget,
                std::set<Key>& keys) const;
  Signature PartnersSignature(size_t invariant, model::NodeId node, const std::string& key,
                              const Components& components) const;

  const model::Service& service_;
  std::vector<Pairs> pairs_;  // By invariant.
  bool precise_;
};

}  // namespace foretell::dir
