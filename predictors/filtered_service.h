#pragma once

#include <span>
#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::predictors {

// A service with vetoes in place for ever: a checker explores it to find what filters leave
// possible. The inner service can do everything that it does: a call that is refused and a timer
// that is postponed are actions that do not happen, and a datagram that is dropped is one that is
// lost.
//
// A stream that is reset loses what is in flight on it. A service cannot say so, but the checker's
// own kBreak is just that, and it may happen at any time while the node's fault budget lasts. So
// resets are planned only where a break is left to the node (steering.cc); then a search covers
// them without being told, and the delivery itself is taken as one that does nothing, which only
// adds to the states that are explored.
class FilteredService final : public model::ForwardingService {
 public:
  // Which events a filter stops here.
  enum class Reach : uint8_t {
    kExact,  // What it stops at a node.
    // All of that kind, from there: as if whoever plans did it again each time. Not calls, whose
    // refusal the application learns of.
    kAlike,
  };
  FilteredService(const model::Service& inner, std::vector<snapshot::Filter> filters,
                  Reach reach = Reach::kExact)
      : model::ForwardingService(inner), filters_(std::move(filters)), reach_(reach) {}

  std::vector<std::string> Actions(NodeId node, const std::string& state) const override;
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override;
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override;

  // Without exchanges that make other vetoes of these.
  std::vector<std::vector<NodeId>> Interchangeable() const override;

  bool IsFiltered(NodeId node, const Event& event) const;

 private:
  std::vector<std::string> WithoutFiltered(NodeId node, std::vector<std::string> actions) const;

  bool Stops(const snapshot::Filter& filter, const Event& event) const;

  const std::vector<snapshot::Filter> filters_;
  const Reach reach_;
};

}  // namespace foretell::predictors
