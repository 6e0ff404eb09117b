#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "agent/space_time.h"
#include "agent/streams.h"
#include "model/service.h"

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

// InvalidArgument if the body of `event`, from a file, is none of this service.
absl::Status ValidateEvent(const model::Service& service, const model::Event& event);

// Replays a path from a file through the plain semantics. InvalidArgument if a step is none of this
// service's, FailedPrecondition if the path does not replay or does not break the invariant.
absl::StatusOr<model::Violation> ReplayRecorded(const model::Service& service,
                                                const model::SystemCut& start,
                                                const std::string& invariant, model::Path path);

}  // namespace foretell::agent
