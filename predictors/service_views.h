#pragma once

// A service seen through a glass: the handlers of another service, with some of it hidden or turned
// round. Engines need not know.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/service.h"

namespace foretell::predictors {

// Another service, unchanged; it outlives this.
class ForwardingService : public model::Service {
 public:
  using NodeId = model::NodeId;
  using Event = model::Event;
  using Key = std::optional<std::string>;

  explicit ForwardingService(const model::Service& inner) : inner_(inner) {}

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
    return inner_.Run(node, state, events, choices);
  }
  Key Project(size_t invariant, NodeId node, const std::string& state) const override {
    return inner_.Project(invariant, node, state);
  }
  bool Violates(size_t invariant, std::span<const Key> keys) const override {
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
  model::ActionTiming Timing(const std::string& body) const override { return inner_.Timing(body); }
  bool has_timers() const override { return inner_.has_timers(); }
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override {
    return inner_.Calls(node, state);
  }
  std::unique_ptr<model::LiveNode> MakeLive(NodeId node, const std::string& state) const override {
    return inner_.MakeLive(node, state);
  }
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    return inner_.Imagine(live);
  }

 protected:
  const model::Service& inner_;
};

// A service with only some of its invariants, under their own names.
class InvariantView final : public ForwardingService {
 public:
  // Without the invariants in `hidden`. Local assertions cannot be hidden.
  static InvariantView Without(const model::Service& inner, std::span<const std::string> hidden);
  // Only the invariant `name`; none if there is no such.
  static InvariantView Only(const model::Service& inner, const std::string& name);
  // Only the liveness predicates in `names`, each turned round: "violated" is a state in which it
  // holds, so that a search for violations is a search for progress. It does not count where the
  // invariant `safe` is broken; there is no such invariant if that is local-assertions or empty. A
  // node that failed or is absent does not stand in the way of predicates over nodes and pairs.
  static InvariantView Goals(const model::Service& inner, std::span<const std::string> names,
                             const std::string& safe);

  std::span<const model::InvariantInfo> invariants() const override { return infos_; }
  Key Project(size_t invariant, NodeId node, const std::string& state) const override;
  bool Violates(size_t invariant, std::span<const Key> keys) const override;

 private:
  InvariantView(const model::Service& inner, bool goals)
      : ForwardingService(inner), goals_(goals) {}
  void Pick(size_t invariant);
  bool Holds(size_t invariant, std::span<const Key> keys) const;

  bool goals_;
  std::optional<size_t> safe_;  // In the inner service.
  std::vector<size_t> picked_;  // By own number: the number in the inner service.
  std::vector<model::InvariantInfo> infos_;
};

// The names of the liveness predicates that do not hold in `cut`.
// REQUIRES: `cut` is valid for the service.
std::vector<std::string> OpenGoals(const model::Service& service, const model::SystemCut& cut);

}  // namespace foretell::predictors
