#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/drawing/space_time.h"

namespace foretell::agent {

// The form and place of a drawing, as the user typed them.
struct DrawingRequest {
  std::string format;  // One of FormatsText(); empty: the first.
  std::string output;  // A file; default: `console.out`.
};

// The forms of a path that are not drawn from its picture alone: the caller makes them.
struct OwnForms {
  std::function<std::string(const TerminalStyle&)> text;  // For people.
  std::function<absl::StatusOr<std::string>()> gtest;     // A test.
};

// The formats that there are, for help: "text (default), mermaid, svg or gtest".
std::string FormatsText();

// InvalidArgument, with the nearest name, if there is no such format.
absl::Status CheckDrawing(const DrawingRequest& request);

// Draws the picture, or takes the caller's form of it, and writes it where it was asked for.
// REQUIRES: CheckDrawing says ok.
absl::Status Draw(const DrawingRequest& request, const SpaceTime& picture, const OwnForms& own,
                  Console& console);

}  // namespace foretell::agent
