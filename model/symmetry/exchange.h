#pragma once

// What an exchange of two nodes makes of things. Every permutation is a sequence of exchanges, so
// that nobody needs more than these to rename nodes.

#include <functional>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/id.h"

namespace foretell::model {

class Service;

// Divides classes of nodes until no exchange within one makes a difference to `same`. If (a b) and
// (b c) make none, (a c) makes none, so that a node need only be compared with one of each part.
// Parts of one node are left out.
std::vector<std::vector<NodeId>> DivideClasses(const std::vector<std::vector<NodeId>>& classes,
                                               const std::function<bool(Exchange)>& same);

// The same with two nodes exchanged: who it is about and whom it names, as `service` knows it
// (Service::ExchangedState). The text of a failure stays as it is.
NodeState Exchanged(const Service& service, const NodeState& state, Exchange nodes);
Message Exchanged(const Service& service, const Message& message, Exchange nodes);
Event Exchanged(const Service& service, const Event& event, Exchange nodes);
SystemCut Exchanged(const Service& service, const SystemCut& cut, Exchange nodes);

}  // namespace foretell::model
