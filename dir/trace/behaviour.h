#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/components.h"
#include "foretell/dir/trace/run.h"

namespace foretell::dir {

// A step of a trace in terms that all tables share.
struct TraceStep {
  uint32_t number = 0;  // Of the event, in EventNumbers.
  uint32_t outcome = 0;
  Signature received;  // The message, if it came from another component.
  Positions past;
};

TraceStep StepOf(const Transition& transition);

// A trace, as a sequence that respects its partial order.
using Trace = std::vector<TraceStep>;

// The interface transitions of a component in some of its local traces, all of which received the
// same: the component's part of a local skeleton, with one of the traces.
struct Behaviour {
  Signature signature;
  struct InterfaceTransition {
    Signature signature;
    uint32_t position = 0;  // In `trace`.
  };
  std::vector<InterfaceTransition> transitions;
  Trace trace;
};

uint64_t BytesOf(const Behaviour& behaviour);

// The behaviour in a complete run of a component.
Behaviour BehaviourOf(const Run& run);

// The messages that the others send to a component: their part of a local skeleton. Arrivals come
// after those they need. Only the signature is given where the arrivals are known from elsewhere.
struct Environment {
  Signature signature;
  std::vector<Arrival> arrivals;
};

// All complete local traces of a component in one environment: their number by behaviour, which
// belongs to the explorer.
using LocalTraces = std::vector<std::pair<const Behaviour*, uint64_t>>;

}  // namespace foretell::dir
