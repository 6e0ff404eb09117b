#pragma once

#include <string>

#include "foretell/agent/console/console.h"
#include "foretell/model/report.h"

namespace foretell::agent {

// One line on the terminal that is drawn over and over; nothing when nobody watches.
class LiveLine {
 public:
  // `console` outlives this.
  explicit LiveLine(Console& console) : console_(console), shown_at_(console.now()) {}
  // Leaves the terminal as it was.
  ~LiveLine();
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  // True iff somebody watches and the last drawing is a tenth of a second old.
  bool Due() const;
  void Show(const std::string& text);

 private:
  Console& console_;
  Console::Time shown_at_;
  bool visible_ = false;
};

// The progress of a check: phase, states, rate, depth, memory, time left.
std::string ProgressText(const model::Progress& progress, Console::Time start, Console::Time now,
                         Console::Time deadline);

}  // namespace foretell::agent
