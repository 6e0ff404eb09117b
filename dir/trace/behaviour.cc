#include "foretell/dir/trace/behaviour.h"

namespace foretell::dir {

TraceStep StepOf(const Transition& transition) {
  return {transition.candidate.number, transition.outcome, transition.received, transition.past};
}

uint64_t BytesOf(const Behaviour& behaviour) {
  return sizeof(Behaviour) + behaviour.transitions.size() * sizeof(Behaviour::InterfaceTransition) +
         behaviour.trace.size() * sizeof(TraceStep);
}

Behaviour BehaviourOf(const Run& run) {
  Behaviour behaviour;
  behaviour.signature = run.interface_signature();
  for (uint32_t position = 0; position < run.size(); ++position) {
    const Transition& transition = run.at(position);
    if (transition.interface) behaviour.transitions.push_back({transition.signature, position});
    behaviour.trace.push_back(StepOf(transition));
  }
  return behaviour;
}

}  // namespace foretell::dir
