#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "foretell/model/forwarding_service.h"

namespace foretell::tests {

// Another service, with a note of every question that was put to its handlers.
class CountingService final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;

  // Distinct (node, state, event, choices) of single events.
  uint64_t distinct() const { return asked_.size(); }

  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override {
    if (events.size() == 1) ++asked_[{node, state, events[0], {choices.begin(), choices.end()}}];
    return model::ForwardingService::Run(node, state, events, choices);
  }

 private:
  using Asked = std::tuple<NodeId, std::string, Event, std::vector<uint32_t>>;
  mutable std::map<Asked, uint64_t> asked_;
};

}  // namespace foretell::tests
