#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace foretell::tests {

// Consecutive nodes [first, last), divided into levels[0] components of equal size, each of them
// into levels[1] parts, and so on; as dir::Components reads it. REQUIRES: it comes out even.
inline std::string Hierarchy(uint32_t first, uint32_t last, std::span<const uint32_t> levels) {
  if (levels.empty()) return std::to_string(first) + "-" + std::to_string(last - 1);
  const uint32_t size = (last - first) / levels[0];
  std::string text;
  for (uint32_t part = 0; part < levels[0]; ++part) {
    const uint32_t begin = first + part * size;
    const std::string inner = Hierarchy(begin, begin + size, levels.subspan(1));
    text += (part > 0 ? "/" : "") + (levels.size() > 1 ? "(" + inner + ")" : inner);
  }
  return text;
}

}  // namespace foretell::tests
