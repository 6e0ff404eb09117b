#pragma once

#include <cstdint>

#include "model/budget.h"
#include "model/cut.h"
#include "model/service.h"
#include "model/transition_table.h"
#include "search/node_graphs.h"

namespace foretell::dir {

// What nodes may do, each on its own (search/node_graphs.h): all that they really can, and more.
struct Prospects {
  // The service outlives this.
  Prospects(const model::Service& service, const model::SystemCut& start, model::Budget& budget)
      : table(service), graphs(table, start), closed(graphs.Grow(UINT32_MAX, budget, nullptr)) {}

  model::TransitionTable table;
  search::NodeGraphs graphs;
  const bool closed;  // If not, the budget did not last, and nothing is known.
};

}  // namespace foretell::dir
