#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// What to draw, as the user typed it.
struct Drawing {
  std::string format;  // text (default), mermaid or svg.
  std::string output;  // A file; default: `streams.out`.
};

// InvalidArgument, with the nearest name, if there is no such format.
absl::Status CheckDrawing(const Drawing& drawing);

// Draws the picture and writes it where it was asked for. `text` makes the form for people.
// REQUIRES: CheckDrawing says ok.
absl::Status Draw(const Drawing& drawing, const SpaceTime& picture,
                  const std::function<std::string(const Look&)>& text, Streams& streams);

}  // namespace foretell::agent
