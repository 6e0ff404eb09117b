#include "foretell/model/symmetry/exchange.h"

#include <algorithm>
#include <utility>

#include "foretell/model/service.h"

namespace foretell::model {

std::vector<std::vector<NodeId>> DivideClasses(const std::vector<std::vector<NodeId>>& classes,
                                               const std::function<bool(Exchange)>& same) {
  std::vector<std::vector<NodeId>> divided;
  for (const std::vector<NodeId>& nodes : classes) {
    std::vector<std::vector<NodeId>> parts;
    for (const NodeId node : nodes) {
      const auto like = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
        return same({part.back(), node});
      });
      (like == parts.end() ? parts.emplace_back() : *like).push_back(node);
    }
    std::erase_if(parts, [](const auto& part) { return part.size() == 1; });
    divided.insert(divided.end(), parts.begin(), parts.end());
  }
  return divided;
}

NodeState Exchanged(const Service& service, const NodeState& state, Exchange nodes) {
  NodeState other = state;
  if (!IsSilent(state)) other.body = service.ExchangedState(state.body, nodes);
  return other;
}

Message Exchanged(const Service& service, const Message& message, Exchange nodes) {
  return {nodes(message.from), nodes(message.to), service.ExchangedMessage(message.body, nodes)};
}

Event Exchanged(const Service& service, const Event& event, Exchange nodes) {
  Event other = event;
  if (HasPeer(event.kind)) other.peer = nodes(event.peer);
  if (event.kind == EventKind::kDeliver) other.body = service.ExchangedMessage(event.body, nodes);
  if (event.kind == EventKind::kAction) other.body = service.ExchangedAction(event.body, nodes);
  return other;
}

SystemCut Exchanged(const Service& service, const SystemCut& cut, Exchange nodes) {
  SystemCut other;
  for (const NodeState& node : cut.nodes) other.nodes.push_back(Exchanged(service, node, nodes));
  std::swap(other.nodes[nodes.a.index()], other.nodes[nodes.b.index()]);
  for (const Message& message : cut.in_flight) {
    other.in_flight.push_back(Exchanged(service, message, nodes));
  }
  return other;
}

}  // namespace foretell::model
