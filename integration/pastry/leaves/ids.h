#pragma once

// Pastry's identifiers: two digits in base four, on a ring.

#include <cstdint>

#include "foretell/model/id.h"

namespace foretell::integration::pastry {

inline constexpr uint32_t kNodesMax = 3;
inline constexpr uint32_t kDigits = 2;
inline constexpr uint32_t kBase = 4;
inline constexpr uint32_t kIdSpace = kBase * kBase;
uint32_t OverlayId(model::NodeId node);
// The number of steps up the ring from `a` to `b`.
uint32_t Clockwise(model::NodeId a, model::NodeId b);

}  // namespace foretell::integration::pastry
