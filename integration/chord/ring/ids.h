#pragma once

// Where nodes are on Chord's ring.

#include <cstdint>

#include "foretell/model/id.h"

namespace foretell::integration::chord {

// Identifiers form a ring of kRing; a node's is ten times its number.
inline constexpr uint32_t kRing = 32;
uint32_t RingId(model::NodeId node);
// From a up to b; all the way round if they are the same.
uint32_t Distance(uint32_t a, uint32_t b);
// True iff one meets x on the way from a up to b, neither included. From a to a is once around.
bool Between(uint32_t a, uint32_t x, uint32_t b);

}  // namespace foretell::integration::chord
