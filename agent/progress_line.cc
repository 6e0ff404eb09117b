#include "agent/progress_line.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "agent/printable.h"
#include "agent/quantities.h"

namespace foretell::agent {
namespace {

constexpr auto kPause = std::chrono::milliseconds(100);

double Seconds(Streams::Time from, Streams::Time to) {
  return std::max(0.0, std::chrono::duration<double>(to - from).count());
}

}  // namespace

void ProgressLine::Show(const model::Progress& progress) {
  if (!streams_.live) return;
  const Streams::Time now = streams_.now();
  if (now - shown_at_ < kPause) return;
  shown_at_ = now;
  visible_ = true;
  const double elapsed = Seconds(start_, now);
  const auto rate = static_cast<uint64_t>(static_cast<double>(progress.states) / elapsed);
  const double left = Seconds(now, deadline_);
  const std::string text =
      absl::StrCat(progress.phase, "  ", ShortCount(progress.states), " states  ", ShortCount(rate),
                   "/s  depth ", progress.depth, "  ", FormatBytes(progress.bytes), "  ",
                   FormatSeconds(left < 10 ? static_cast<double>(static_cast<int>(left * 10)) / 10
                                           : static_cast<double>(static_cast<int64_t>(left))),
                   " left");
  const size_t width = std::max<size_t>(streams_.err_look.columns, 20) - 1;
  streams_.err << "\r\x1b[2K" << Shorten(text, width, streams_.err_look.utf8) << std::flush;
}

void ProgressLine::Erase() {
  if (visible_) streams_.err << "\r\x1b[2K" << std::flush;
  visible_ = false;
}

}  // namespace foretell::agent
