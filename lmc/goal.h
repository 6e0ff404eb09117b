#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace foretell::lmc {

// A class of preliminary violations: all system states whose nodes project to these keys break
// `invariant` in the same way, so one question settles them all: can the nodes get there together?
struct Goal {
  static constexpr uint32_t kFree = UINT32_MAX;  // Whatever state the node is in.
  static constexpr uint32_t kNothing = 0;        // The node has no projection.

  size_t invariant = 0;
  std::vector<uint32_t> keys;  // By node: kFree, kNothing, or the key's number plus one.
  friend auto operator<=>(const Goal&, const Goal&) = default;
};

}  // namespace foretell::lmc
