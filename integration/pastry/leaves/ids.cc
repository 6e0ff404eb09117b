#include "foretell/integration/pastry/leaves/ids.h"

#include <array>

namespace foretell::integration::pastry {
namespace {

// Nodes 1 and 2 share a digit, so that a join of one can be routed by way of the other.
constexpr std::array<uint32_t, kNodesMax> kIds = {0 * kBase + 2, 2 * kBase + 1, 2 * kBase + 3};

}  // namespace

uint32_t OverlayId(model::NodeId node) { return kIds[node.index() % kNodesMax]; }

uint32_t Clockwise(model::NodeId a, model::NodeId b) {
  return (OverlayId(b) + kIdSpace - OverlayId(a)) % kIdSpace;
}

}  // namespace foretell::integration::pastry
