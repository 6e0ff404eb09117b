#include "foretell/dir/ids/table_figures.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/model/cut.h"

namespace foretell::dir {
namespace {

using model::NodeId;
using model::StateId;

Signature StateSignature(const model::NodeState& state) {
  const auto number = [](uint64_t value) { return Signature{0, value}; };
  std::vector<Signature> parts = {number(static_cast<uint64_t>(state.status))};
  for (const uint8_t count : state.faults) parts.push_back(number(count));
  parts.push_back(SignatureOf(state.body));
  return SignatureOf(parts);
}

uint64_t DifferentStates(std::span<model::TransitionTable* const> tables, NodeId node) {
  absl::flat_hash_set<Signature> states;
  for (const model::TransitionTable* const table : tables) {
    for (uint32_t id = 0; id < table->state_count(node); ++id) {
      states.insert(StateSignature(table->StateOf(node, StateId(id))));
    }
  }
  return states.size();
}

}  // namespace

TableFigures FiguresOf(std::span<model::TransitionTable* const> tables) {
  TableFigures figures;
  for (const model::TransitionTable* const table : tables) {
    figures.handler_executions += table->handler_executions();
  }
  if (tables.size() == 1) {
    figures.node_states = tables.front()->state_count();
    return figures;
  }
  for (uint32_t n = 0; n < tables.front()->node_count(); ++n) {
    figures.node_states += DifferentStates(tables, NodeId(n));
  }
  return figures;
}

}  // namespace foretell::dir
