#pragma once

#include <cstdint>
#include <span>

#include "foretell/model/engine/transition_table.h"

namespace foretell::dir {

// Totals over the tables of a check. With several threads every component has a table of its own,
// and so has the composer.
struct TableFigures {
  uint64_t node_states = 0;  // Different ones.
  // The sum over all tables: a result in one table has to be computed again in another.
  uint64_t handler_executions = 0;
};
TableFigures FiguresOf(std::span<model::TransitionTable* const> tables);

}  // namespace foretell::dir
