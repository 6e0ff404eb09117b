#pragma once

// Adapters that change what can happen in another service, for questions about recovery.

#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"

namespace foretell::predictors {

// A service whose application may make any of its calls at any time. What is imagined of a live cut
// has few calls or none; but nothing is dead that a call would bring back.
class OpenToCalls final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override;
};

// A service in which nothing adverse happens: no faults, and no action that is declared adverse.
class WithoutFaults final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  model::FaultBudget faults(NodeId) const override { return {}; }
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override;
};

}  // namespace foretell::predictors
