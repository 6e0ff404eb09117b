#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/forwarding_service.h"

namespace foretell::search {

// A service with one liveness predicate and nothing else, as if it were an invariant: "violated" is
// a state in which the predicate does not hold, so that tables of invariants say who is live. A
// state with a failed node breaks local assertions and is not live either.
class PropertyView final : public model::ForwardingService {
 public:
  // The number of the liveness predicate `name` in `service`; nothing if there is none.
  static std::optional<size_t> Find(const model::Service& service, const std::string& name);

  // REQUIRES: `property` is the number of a liveness predicate of `inner`.
  PropertyView(const model::Service& inner, size_t property);

  std::span<const model::InvariantInfo> invariants() const override { return {&info_, 1}; }
  Key Project(size_t, NodeId node, const std::string& state) const override {
    return inner_.Project(property_, node, state);
  }
  bool Violates(size_t, std::span<const Key> keys) const override {
    return inner_.Violates(property_, keys);
  }

 private:
  const size_t property_;
  model::InvariantInfo info_;
};

}  // namespace foretell::search
