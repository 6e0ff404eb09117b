#pragma once

// Adapters of another service, whose handlers they keep: they restrict or negate its invariants, or
// change what can happen. Engines need not know.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"

namespace foretell::predictors {

// A service with only some of its invariants, under their own names.
class InvariantView final : public model::ForwardingService {
 public:
  // A view without the invariants in `hidden`. Local assertions cannot be hidden.
  static InvariantView Without(const model::Service& inner, std::span<const std::string> hidden);
  // A view with only the invariant `name`; with none if there is no such.
  static InvariantView Only(const model::Service& inner, const std::string& name);
  // A view with only the liveness predicates in `names`, each negated: "violated" is a state in
  // which it holds, so that a search for violations is a search for progress. Such a state does not
  // count where the invariant `safe` is broken; there is no such invariant if that is
  // local-assertions or empty. A node that failed or is absent does not stand in the way of
  // predicates over nodes and pairs.
  static InvariantView Goals(const model::Service& inner, std::span<const std::string> names,
                             const std::string& safe);

  std::span<const model::InvariantInfo> invariants() const override { return infos_; }
  Key Project(size_t invariant, NodeId node, const std::string& state) const override;
  bool Violates(size_t invariant, std::span<const Key> keys) const override;
  // None for goals: progress of one node is not that of another.
  std::vector<std::vector<NodeId>> Interchangeable() const override {
    if (goals_) return {};
    return inner_.Interchangeable();
  }

 private:
  InvariantView(const model::Service& inner, bool goals)
      : model::ForwardingService(inner), goals_(goals) {}
  void Pick(size_t invariant);

  bool goals_;
  std::optional<size_t> safe_;  // In the inner service.
  std::vector<size_t> picked_;  // By own number: the number in the inner service.
  std::vector<model::InvariantInfo> infos_;
};

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

// The names of the liveness predicates that do not hold in `cut`.
// REQUIRES: `cut` is valid for the service.
std::vector<std::string> OpenGoals(const model::Service& service, const model::SystemCut& cut);

}  // namespace foretell::predictors
