#pragma once

#include <string>

#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// The path as a self-contained SVG picture: a message is an arrow from the moment of sending to
// the moment of delivery, and what changes stands beside its step. Paints its own background, light
// or dark as the viewer prefers.
std::string DrawSvg(const SpaceTime& picture);
// One of several in a page: ids begin with `ids`.
std::string DrawSvg(const SpaceTime& picture, const std::string& ids);

}  // namespace foretell::agent
