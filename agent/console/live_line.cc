#include "foretell/agent/console/live_line.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);
constexpr const char* kEraseLine = "\r\x1b[2K";

double Seconds(Console::Time from, Console::Time to) {
  return std::max(0.0, std::chrono::duration<double>(to - from).count());
}

}  // namespace

LiveLine::~LiveLine() {
  if (visible_) console_.err << kEraseLine << std::flush;
}

bool LiveLine::Due() const { return console_.live && console_.now() - shown_at_ >= kPause; }

void LiveLine::Show(const std::string& text) {
  shown_at_ = console_.now();
  visible_ = true;
  // A line that wraps could not be erased.
  const size_t width = std::max<size_t>(console_.err_style.columns, 20) - 1;
  console_.err << kEraseLine << Shorten(text, width, console_.err_style.utf8) << std::flush;
}

std::string ProgressText(const model::Progress& progress, Console::Time start, Console::Time now,
                         Console::Time deadline) {
  const double elapsed = std::max(Seconds(start, now), 1e-3);
  const auto rate = static_cast<uint64_t>(static_cast<double>(progress.states) / elapsed);
  // Whole seconds: more digits would only flicker.
  const double left = std::ceil(Seconds(now, deadline));
  const std::string found =
      progress.text.empty()
          ? absl::StrCat(ShortCount(progress.states), " states  ", ShortCount(rate), "/s")
          : progress.text;
  return absl::StrCat(progress.phase, "  ", found, "  depth ", progress.depth, "  ",
                      FormatBytes(progress.bytes), "  ", FormatSeconds(left), " left");
}

}  // namespace foretell::agent
