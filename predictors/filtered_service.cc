#include "foretell/predictors/filtered_service.h"

#include <algorithm>
#include <utility>

#include "foretell/model/symmetry/exchange.h"

namespace foretell::predictors {

using model::EventKind;
using model::HandlerResult;

bool FilteredService::IsFiltered(NodeId node, const Event& event) const {
  return std::any_of(filters_.begin(), filters_.end(), [&](const snapshot::Filter& filter) {
    return filter.node == node && Stops(filter, event);
  });
}

bool FilteredService::Stops(const snapshot::Filter& filter, const Event& event) const {
  const Event& stopped = filter.event;
  if (stopped == event) return true;
  if (reach_ == Reach::kExact || stopped.kind != event.kind || stopped.peer != event.peer) {
    return false;
  }
  switch (snapshot::TraitsOf(filter.kind).target) {
    case snapshot::FilterTarget::kDatagram:
    case snapshot::FilterTarget::kStreamMessage:
      return inner_.MessageKind(stopped.body) == inner_.MessageKind(event.body);
    case snapshot::FilterTarget::kTimer:
      return inner_.ActionKind(stopped.body) == inner_.ActionKind(event.body);
    case snapshot::FilterTarget::kCall:
    case snapshot::FilterTarget::kNothing: return false;
  }
  return false;
}

std::vector<std::string> FilteredService::WithoutFiltered(NodeId node,
                                                          std::vector<std::string> actions) const {
  std::erase_if(actions, [&](const std::string& body) {
    return IsFiltered(node, {EventKind::kAction, NodeId(0), body});
  });
  return actions;
}

std::vector<std::string> FilteredService::Actions(NodeId node, const std::string& state) const {
  return WithoutFiltered(node, inner_.Actions(node, state));
}

std::vector<std::string> FilteredService::Calls(NodeId node, const std::string& state) const {
  return WithoutFiltered(node, inner_.Calls(node, state));
}

std::vector<std::vector<model::NodeId>> FilteredService::Interchangeable() const {
  return model::DivideClasses(inner_.Interchangeable(), [this](model::Exchange nodes) {
    return std::all_of(filters_.begin(), filters_.end(), [&](const snapshot::Filter& filter) {
      return IsFiltered(nodes(filter.node), model::Exchanged(inner_, filter.event, nodes));
    });
  });
}

HandlerResult FilteredService::Run(NodeId node, const std::string& state,
                                   std::span<const Event> events,
                                   std::span<const uint32_t> choices) const {
  std::vector<Event> handled;
  for (const Event& event : events) {
    if (event.kind != EventKind::kDeliver || !IsFiltered(node, event)) handled.push_back(event);
  }
  if (handled.size() == events.size()) return inner_.Run(node, state, events, choices);
  const bool last = !handled.empty() && handled.back() == events.back();
  if (last) return inner_.Run(node, state, handled, choices);
  // The report is on the last event, which did nothing.
  HandlerResult nothing;
  nothing.state = handled.empty() ? state : inner_.Run(node, state, handled, {}).state;
  return nothing;
}

}  // namespace foretell::predictors
