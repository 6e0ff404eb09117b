#include "foretell/integration/chord/ring/ids.h"

namespace foretell::integration::chord {

uint32_t RingId(model::NodeId node) { return node.value() * 10 % kRing; }

uint32_t Distance(uint32_t a, uint32_t b) {
  const uint32_t steps = (b + kRing - a) % kRing;
  return steps == 0 ? kRing : steps;
}

bool Between(uint32_t a, uint32_t x, uint32_t b) { return Distance(a, x) < Distance(a, b); }

}  // namespace foretell::integration::chord
