#pragma once

#include <cstdint>
#include <span>

#include "model/transition_table.h"

namespace foretell::dir {

// What all the tables of a check have come to. With several threads every component has a table of
// its own, and so has the composer.
struct TableFigures {
  uint64_t node_states = 0;         // Different ones.
  uint64_t handler_executions = 0;  // Of each table: what one knows another has to find out again.
};
TableFigures FiguresOf(std::span<model::TransitionTable* const> tables);

}  // namespace foretell::dir
