#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// The form and place of a drawing, as the user typed them.
struct DrawingRequest {
  std::string format;  // One of FormatsText(); empty: the first.
  std::string output;  // A file; default: `console.out`.
};

// The formats that there are, for help: "text (default), mermaid or svg".
std::string FormatsText();

// InvalidArgument, with the nearest name, if there is no such format.
absl::Status CheckDrawing(const DrawingRequest& request);

// Draws the picture and writes it where it was asked for. `text` makes the form for people.
// REQUIRES: CheckDrawing says ok.
absl::Status Draw(const DrawingRequest& request, const SpaceTime& picture,
                  const std::function<std::string(const TerminalStyle&)>& text, Console& console);

}  // namespace foretell::agent
