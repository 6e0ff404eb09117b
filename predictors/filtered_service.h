#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/forwarding_service.h"
#include "snapshot/filter.h"

namespace foretell::predictors {

// A service with vetoes in place, for as long as anybody looks: what a checker needs to see what
// filters leave possible. Whatever it does, the inner service can do too: a call that is refused
// and a timer that is postponed are actions that do not happen, and a datagram that is dropped is
// one that is lost.
//
// A stream that is reset loses what is in flight on it. A service cannot say so, but the checker's
// own kBreak is just that, and it may happen at any time while the node's fault budget lasts. So
// resets are planned only where a break is left to the node (steering.cc); then a search covers
// them without being told, and the delivery itself is taken as one that does nothing, which only
// adds to what is looked at.
class FilteredService final : public model::ForwardingService {
 public:
  FilteredService(const model::Service& inner, std::vector<snapshot::Filter> filters)
      : model::ForwardingService(inner), filters_(std::move(filters)) {}

  std::vector<std::string> Actions(NodeId node, const std::string& state) const override;
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override;
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override;

  bool Filtered(NodeId node, const Event& event) const;

 private:
  std::vector<std::string> Unfiltered(NodeId node, std::vector<std::string> actions) const;

  const std::vector<snapshot::Filter> filters_;
};

}  // namespace foretell::predictors
