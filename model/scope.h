#pragma once

// The scope of an invariant: which sets of nodes can break it. Everybody who asks whether an
// invariant is broken, and by whom, asks here; only those that look for broken sets among many
// states at once go through the sets in their own order.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/check.h"

namespace foretell::model {

class Service;

enum class Scope : uint8_t { kNode, kPair, kSystem };

// The word used for `scope` in listings: "node", "pair", "system".
const char* ScopeName(Scope scope);

// True iff the keys of all nodes are needed to judge. Keys of absent nodes are not known, so that
// such an invariant is never broken in a neighbourhood.
constexpr bool NeedsEveryNode(Scope scope) { return scope == Scope::kSystem; }

// Calls `visit` with each set of nodes that an invariant of `scope` is judged by, until it returns
// true; returns whether it did. These are single nodes and pairs of nodes that have a key, in
// rising order, or all nodes, whether they have one or not. Only sets with the node `with`, if it
// is given.
template <class HasKey, class Visit>
bool AnyNodeSet(Scope scope, uint32_t node_count, HasKey&& has_key, Visit&& visit,
                std::optional<uint32_t> with = std::nullopt) {
  switch (scope) {
    case Scope::kNode:
      for (uint32_t a = with.value_or(0); a < (with ? *with + 1 : node_count); ++a) {
        if (has_key(a) && visit(std::span<const uint32_t>(&a, 1))) return true;
      }
      return false;
    case Scope::kPair:
      for (uint32_t a = 0; a < node_count; ++a) {
        if (!has_key(a)) continue;
        const bool free = !with || a == *with;
        const uint32_t end = free ? node_count : *with + 1;
        for (uint32_t b = free ? a + 1 : std::max(a + 1, *with); b < end; ++b) {
          const uint32_t pair[] = {a, b};
          if (has_key(b) && visit(std::span<const uint32_t>(pair))) return true;
        }
      }
      return false;
    case Scope::kSystem: {
      std::vector<uint32_t> all(node_count);
      std::iota(all.begin(), all.end(), 0u);
      return visit(std::span<const uint32_t>(all));
    }
  }
  FORETELL_CHECK(false);
  return false;
}

// The first set of nodes that breaks an invariant of `scope`; empty if it holds. `keys` has the
// projection of every node, `violates` judges those of a set (Service::Violates).
template <class Key, class Violates>
std::vector<uint32_t> FirstBroken(Scope scope, std::span<const std::optional<Key>> keys,
                                  Violates&& violates,
                                  std::optional<uint32_t> with = std::nullopt) {
  std::vector<uint32_t> broken;
  std::vector<std::optional<Key>> of_set;
  AnyNodeSet(
      scope, static_cast<uint32_t>(keys.size()), [&](uint32_t n) { return keys[n].has_value(); },
      [&](std::span<const uint32_t> nodes) {
        of_set.clear();
        for (const uint32_t n : nodes) of_set.push_back(keys[n]);
        if (!violates(std::span<const std::optional<Key>>(of_set))) return false;
        broken.assign(nodes.begin(), nodes.end());
        return true;
      },
      with);
  return broken;
}

// The same for an invariant of `service`.
std::vector<uint32_t> FirstBroken(const Service& service, size_t invariant,
                                  std::span<const std::optional<std::string>> keys,
                                  std::optional<uint32_t> with = std::nullopt);

}  // namespace foretell::model
