#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "model/service.h"

namespace foretell::tests {

// Another service, with a note of every question that was put to its handlers.
class CountingService final : public model::Service {
 public:
  using NodeId = model::NodeId;
  using Event = model::Event;

  explicit CountingService(const model::Service& inner) : inner_(inner) {}

  // Distinct (node, state, event, choices) of single events.
  uint64_t distinct() const { return asked_.size(); }

  uint32_t node_count() const override { return inner_.node_count(); }
  model::Network network() const override { return inner_.network(); }
  model::FaultBudget faults(NodeId node) const override { return inner_.faults(node); }
  std::span<const model::InvariantInfo> invariants() const override { return inner_.invariants(); }
  std::string InitialState(NodeId node) const override { return inner_.InitialState(node); }
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    return inner_.Actions(node, state);
  }
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override {
    if (events.size() == 1) ++asked_[{node, state, events[0], {choices.begin(), choices.end()}}];
    return inner_.Run(node, state, events, choices);
  }
  std::optional<std::string> Project(size_t invariant, NodeId node,
                                     const std::string& state) const override {
    return inner_.Project(invariant, node, state);
  }
  bool Violates(size_t invariant, std::span<const std::optional<std::string>> keys) const override {
    return inner_.Violates(invariant, keys);
  }
  std::vector<model::Field> RenderState(NodeId node, const std::string& state) const override {
    return inner_.RenderState(node, state);
  }
  std::string RenderMessage(const std::string& body) const override {
    return inner_.RenderMessage(body);
  }
  std::string RenderAction(const std::string& body) const override {
    return inner_.RenderAction(body);
  }
  bool ValidState(const std::string& state) const override { return inner_.ValidState(state); }
  bool ValidMessage(const std::string& body) const override { return inner_.ValidMessage(body); }
  bool ValidAction(const std::string& body) const override { return inner_.ValidAction(body); }

 private:
  using Asked = std::tuple<NodeId, std::string, Event, std::vector<uint32_t>>;
  const model::Service& inner_;
  mutable std::map<Asked, uint64_t> asked_;
};

}  // namespace foretell::tests
