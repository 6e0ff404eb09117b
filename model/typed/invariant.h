#pragma once

// Invariants over a typed state, in their general form; model/typed/shapes.h has the usual ones.
// The projection says what of a node matters; the predicate sees projections only:
//
//   PairInvariant<State, uint32_t>(
//       {.name = "agreement", .text = "No two nodes choose different values.", .stable = true},
//       [](NodeId, const State& s) { return s.chosen; },           // nothing chosen: irrelevant
//       [](uint32_t a, uint32_t b) { return a != b; })             // true: violated
//
// `stable` says: once violated, violated for ever. Reduced searches rely on it. A check tests the
// claim on what the handlers do, and names one that does not hold (predictors/coverage).

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/fields.h"

namespace foretell::model {

// What can be a name or a text.
template <class T>
inline constexpr bool kIsText = std::is_convertible_v<T, std::string>;

template <class State>
struct TypedInvariant {
  using Keys = std::span<const std::optional<std::string>>;
  InvariantInfo info;
  std::function<std::optional<std::string>(NodeId, const State&)> project;
  std::function<bool(Keys)> violated;
  bool goal = false;  // Not an invariant: a goal (Service::goals), reached where there is a key.

  // Among the invariants of another state it does not compile, and says why.
  template <class Other>
  operator TypedInvariant<Other>() const {
    static_assert(std::is_same_v<State, Other>,
                  "this invariant looks at a struct that is not the State of its protocol");
    return {};
  }
};

template <class State, class Key>
using Projection = std::function<std::optional<Key>(NodeId, const State&)>;

template <class State, class Key>
auto EncodedProjection(Projection<State, Key> project) {
  return [project = std::move(project)](NodeId node,
                                        const State& state) -> std::optional<std::string> {
    const std::optional<Key> key = project(node, state);
    if (!key) return std::nullopt;
    return Encode(*key);
  };
}

template <class State, class Key>
TypedInvariant<State> NodeInvariant(InvariantInfo info, Projection<State, Key> project,
                                    std::function<bool(const Key&)> violated) {
  info.scope = Scope::kNode;
  return {std::move(info), EncodedProjection<State, Key>(std::move(project)),
          [violated = std::move(violated)](typename TypedInvariant<State>::Keys keys) {
            return violated(*Decode<Key>(*keys[0]));
          }};
}

template <class State, class Key>
TypedInvariant<State> PairInvariant(InvariantInfo info, Projection<State, Key> project,
                                    std::function<bool(const Key&, const Key&)> violated) {
  info.scope = Scope::kPair;
  return {std::move(info), EncodedProjection<State, Key>(std::move(project)),
          [violated = std::move(violated)](typename TypedInvariant<State>::Keys keys) {
            return violated(*Decode<Key>(*keys[0]), *Decode<Key>(*keys[1]));
          }};
}

// The predicate sees one projection per node; absent ones are nullopt.
template <class State, class Key>
TypedInvariant<State> SystemInvariant(
    InvariantInfo info, Projection<State, Key> project,
    std::function<bool(const std::vector<std::optional<Key>>&)> violated) {
  info.scope = Scope::kSystem;
  return {std::move(info), EncodedProjection<State, Key>(std::move(project)),
          [violated = std::move(violated)](typename TypedInvariant<State>::Keys keys) {
            std::vector<std::optional<Key>> decoded;
            decoded.reserve(keys.size());
            for (const auto& key : keys) {
              decoded.push_back(key ? Decode<Key>(*key) : std::nullopt);
            }
            return violated(decoded);
          }};
}

}  // namespace foretell::model
