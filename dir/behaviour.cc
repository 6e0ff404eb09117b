#include "dir/behaviour.h"

namespace foretell::dir {

Behaviour BehaviourOf(const Run& run) {
  Behaviour behaviour;
  behaviour.signature = run.interface_signature();
  for (uint32_t position = 0; position < run.size(); ++position) {
    const Transition& transition = run.at(position);
    if (transition.interface) behaviour.transitions.push_back({transition.signature, position});
    behaviour.trace.push_back(
        {transition.what.number, transition.outcome, transition.received, transition.past});
  }
  return behaviour;
}

}  // namespace foretell::dir
