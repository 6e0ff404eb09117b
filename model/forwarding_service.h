#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/service.h"

namespace foretell::model {

// Another service, unchanged: what views and counters of a service start from. The inner service
// outlives this. Every new virtual of Service must be forwarded here.
class ForwardingService : public Service {
 public:
  // For views in other folders.
  using NodeId = model::NodeId;
  using Event = model::Event;
  using Key = std::optional<std::string>;

  explicit ForwardingService(const Service& inner) : inner_(inner) {}

  uint32_t node_count() const override { return inner_.node_count(); }
  Network network() const override { return inner_.network(); }
  FaultBudget faults(NodeId node) const override { return inner_.faults(node); }
  std::span<const InvariantInfo> invariants() const override { return inner_.invariants(); }
  std::string InitialState(NodeId node) const override { return inner_.InitialState(node); }
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    return inner_.Actions(node, state);
  }
  HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                    std::span<const uint32_t> choices) const override {
    return inner_.Run(node, state, events, choices);
  }
  std::string Relevant(const std::string& state) const override { return inner_.Relevant(state); }
  bool has_auxiliary() const override { return inner_.has_auxiliary(); }
  std::vector<std::string> claimed_auxiliary() const override { return inner_.claimed_auxiliary(); }
  std::vector<std::vector<NodeId>> Interchangeable() const override {
    return inner_.Interchangeable();
  }
  std::string ExchangedState(const std::string& state, Exchange nodes) const override {
    return inner_.ExchangedState(state, nodes);
  }
  std::string ExchangedMessage(const std::string& body, Exchange nodes) const override {
    return inner_.ExchangedMessage(body, nodes);
  }
  std::string ExchangedAction(const std::string& body, Exchange nodes) const override {
    return inner_.ExchangedAction(body, nodes);
  }
  Key Project(size_t invariant, NodeId node, const std::string& state) const override {
    return inner_.Project(invariant, node, state);
  }
  bool Violates(size_t invariant, std::span<const Key> keys) const override {
    return inner_.Violates(invariant, keys);
  }
  std::span<const Named> goals() const override { return inner_.goals(); }
  bool Reached(size_t goal, NodeId node, const std::string& state) const override {
    return inner_.Reached(goal, node, state);
  }
  std::string Role(NodeId node) const override { return inner_.Role(node); }
  std::vector<std::string> message_kinds() const override { return inner_.message_kinds(); }
  std::vector<std::string> action_kinds() const override { return inner_.action_kinds(); }
  size_t MessageKind(const std::string& body) const override { return inner_.MessageKind(body); }
  size_t ActionKind(const std::string& body) const override { return inner_.ActionKind(body); }
  std::vector<EventKind> fault_handlers() const override { return inner_.fault_handlers(); }
  std::vector<Field> RenderState(NodeId node, const std::string& state) const override {
    return inner_.RenderState(node, state);
  }
  std::string RenderMessage(const std::string& body) const override {
    return inner_.RenderMessage(body);
  }
  std::string RenderAction(const std::string& body) const override {
    return inner_.RenderAction(body);
  }
  std::vector<Field> MessageFields(const std::string& body) const override {
    return inner_.MessageFields(body);
  }
  std::vector<Field> ActionFields(const std::string& body) const override {
    return inner_.ActionFields(body);
  }
  bool ValidState(const std::string& state) const override { return inner_.ValidState(state); }
  bool ValidMessage(const std::string& body) const override { return inner_.ValidMessage(body); }
  bool ValidAction(const std::string& body) const override { return inner_.ValidAction(body); }
  bool notices_breaks() const override { return inner_.notices_breaks(); }
  ActionTiming Timing(const std::string& body) const override { return inner_.Timing(body); }
  std::optional<uint32_t> Weight(const Event& event) const override { return inner_.Weight(event); }
  bool has_timers() const override { return inner_.has_timers(); }
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override {
    return inner_.Calls(node, state);
  }
  std::optional<std::string> ParseCall(const std::string& text) const override {
    return inner_.ParseCall(text);
  }
  std::unique_ptr<LiveNode> MakeLive(NodeId node, const std::string& state) const override {
    return inner_.MakeLive(node, state);
  }
  std::vector<Imagined> Imagine(const SystemCut& live) const override {
    return inner_.Imagine(live);
  }

 protected:
  const Service& inner_;
};

}  // namespace foretell::model
