#pragma once

// Steps of one node, without any network: the part of the semantics that the plain replay and the
// transition table share.

#include <span>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::model {

// The outcome of an event at a node when its handler chose `choices`.
struct LocalOutcome {
  NodeState next;
  std::vector<Send> sends;
  std::vector<uint32_t> choices;
  std::vector<std::string> choice_labels;  // As HandlerResult has them.
  uint32_t weight = 1;                     // Of the choices together; 0: one of them is adverse.
};

// The events that need no message, in a fixed order: actions, faults by kind, restart.
std::vector<Event> LocalEvents(const Service& service, NodeId node, const NodeState& state);

// Messages are delivered only to nodes that are up.
inline bool AcceptsMessages(const NodeState& state) { return state.status == NodeStatus::kUp; }

// Runs `event` with the given choices. Also says in `offered` how many alternatives each choice
// had.
// REQUIRES: `event` is enabled in `state`.
LocalOutcome RunLocal(const Service& service, NodeId node, const NodeState& state,
                      const Event& event, std::span<const uint32_t> choices,
                      std::vector<uint32_t>& offered);

// One outcome per sequence of choices, in lexicographic order.
std::vector<LocalOutcome> RunAllChoices(const Service& service, NodeId node, const NodeState& state,
                                        const Event& event);

}  // namespace foretell::model
