#pragma once

#include <optional>

#include "agent/streams.h"
#include "model/report.h"

namespace foretell::agent {

// One line on the terminal that tells how far a check has come; nothing when nobody watches.
class ProgressLine {
 public:
  // `streams` outlives this.
  ProgressLine(Streams& streams, Streams::Time start, Streams::Time deadline)
      : streams_(streams), start_(start), deadline_(deadline), shown_at_(start) {}
  // Leaves the terminal as it was.
  ~ProgressLine() { Erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Draws ten times a second at most, however often it is called.
  void Show(const model::Progress& progress);
  void Erase();

 private:
  Streams& streams_;
  Streams::Time start_;
  Streams::Time deadline_;
  Streams::Time shown_at_;
  bool visible_ = false;
};

}  // namespace foretell::agent
