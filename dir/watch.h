#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "dir/components.h"
#include "dir/prospects.h"
#include "dir/signature.h"
#include "model/budget.h"
#include "model/cut.h"
#include "model/service.h"

namespace foretell::dir {

// What a component has to show of its nodes' projections, so that invariants can be checked over
// global skeletons (section 6.2). It is less than all: what concerns nodes of the component only is
// checked where the component is explored, and two projections are the same to others if they break
// the same invariants together with whatever others may come to. Does not change once made; for all
// threads.
class Watch {
 public:
  // If nothing is known of what nodes may do, or the budget does not last, projections that concern
  // others are all different to them. The service outlives this.
  Watch(const model::Service& service, Prospects& prospects, model::Budget& budget);

  // Whether that was not so.
  bool known() const { return known_; }

  // What nodes of other components can tell of `node`. Zero if that is nothing.
  Signature Seen(model::NodeId node, const model::NodeState& state,
                 const Components& components) const;

 private:
  using Key = std::pair<uint32_t, std::string>;  // Node and projection.
  struct Partner {
    model::NodeId node;
    Signature key;
  };
  // By projection: those that break the invariant with it.
  using Pairs = absl::flat_hash_map<Key, std::vector<Partner>>;
  // Both: false if there are too many, or the budget is spent.
  bool FindPartners(size_t invariant, Prospects& prospects, model::Budget& budget);
  bool FindKeys(size_t invariant, Prospects& prospects, model::Budget& budget,
                std::set<Key>& keys) const;
  Signature SeenByPairs(size_t invariant, model::NodeId node, const std::string& key,
                        const Components& components) const;

  const model::Service& service_;
  std::vector<Pairs> pairs_;  // By invariant.
  bool known_;
};

}  // namespace foretell::dir
