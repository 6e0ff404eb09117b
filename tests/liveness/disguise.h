#pragma once

// Random services, made to have a say about liveness: some actions are timers, some are adverse,
// some choices nobody may count on, and one of the invariants must hold eventually, as it is or
// turned round.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"
#include "foretell/model/hash.h"

namespace foretell::tests {

class Disguise final : public model::ForwardingService {
 public:
  static constexpr const char* kName = "sooner-or-later";

  // REQUIRES: `invariant` is the number of one of `inner`.
  Disguise(const model::Service& inner, size_t invariant, bool turned, uint64_t seed)
      : ForwardingService(inner),
        invariant_(invariant),
        turned_(turned),
        seed_(seed),
        info_(inner.invariants()[invariant]) {
    info_.name = kName;
    info_.eventually = true;
    info_.stable = false;
    if (turned_) info_.scope = model::Scope::kSystem;
  }

  std::span<const model::InvariantInfo> invariants() const override { return {&info_, 1}; }
  Key Project(size_t, NodeId node, const std::string& state) const override {
    return inner_.Project(invariant_, node, state);
  }
  bool Violates(size_t, std::span<const Key> keys) const override {
    if (!turned_) return inner_.Violates(invariant_, keys);
    return model::FirstBroken(inner_, invariant_, keys).empty();
  }

  model::ActionTiming Timing(const std::string& body) const override {
    model::ActionTiming timing;
    const uint64_t drawn = Draw(body);
    timing.adverse = drawn % 5 == 0;
    if (drawn % 2 == 0) timing.origin = model::ActionTiming::Origin::kTimer;
    return timing;
  }
  model::HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                           std::span<const uint32_t> choices) const override {
    model::HandlerResult result = inner_.Run(node, state, events, choices);
    for (size_t i = 0; i < result.choices_offered.size(); ++i) {
      const uint32_t chosen = i < choices.size() ? choices[i] : 0;
      result.choice_weights.push_back(
          static_cast<uint32_t>(Draw(events.back().body + std::to_string(chosen)) % 4));
    }
    return result;
  }

 private:
  uint64_t Draw(const std::string& text) const {
    return model::HashBytes(text + std::to_string(seed_));
  }

  const size_t invariant_;
  const bool turned_;
  const uint64_t seed_;
  model::InvariantInfo info_;
};

}  // namespace foretell::tests
