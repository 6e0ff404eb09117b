#pragma once

#include <span>

#include "foretell/model/engine/event_id.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::search {

// Every node on its own: the states that it may come to and what may happen there. Whoever makes
// one says whether it holds all that can really happen.
class StepGraph {
 public:
  virtual ~StepGraph() = default;

  // States of a node in a fixed order; the first is the start.
  virtual std::span<const model::StateId> States(model::NodeId node) const = 0;
  // Events that may happen in `state`, in a fixed order.
  virtual std::span<const model::EventId> Events(model::NodeId node,
                                                 model::StateId state) const = 0;
  virtual bool HasEdge(model::NodeId node, model::StateId state, model::EventId event) const = 0;
  // The ways `event` can turn out; they lead to states of this graph.
  // REQUIRES: HasEdge(node, state, event).
  virtual std::span<const model::Step> Successors(model::NodeId node, model::StateId state,
                                                  model::EventId event) const = 0;
};

}  // namespace foretell::search
