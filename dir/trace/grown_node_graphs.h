#pragma once

#include <cstdint>

#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/service.h"
#include "foretell/search/graphs/node_graphs.h"

namespace foretell::dir {

// Node graphs (search/graphs/node_graphs.h), grown until they are closed or the budget is spent.
// Closed, they have all that each node really can do, and more.
struct GrownNodeGraphs {
  // The service outlives this.
  GrownNodeGraphs(const model::Service& service, const model::SystemCut& start,
                  model::Budget& budget)
      : table(service), graphs(table, start), closed(graphs.Grow(UINT32_MAX, budget, nullptr)) {}

  model::TransitionTable table;
  search::NodeGraphs graphs;
  const bool closed;  // If not, nothing follows from the graphs.
};

}  // namespace foretell::dir
