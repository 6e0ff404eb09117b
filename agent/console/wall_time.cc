#include "foretell/agent/console/wall_time.h"

#include <chrono>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace foretell::agent {
namespace {

absl::Time ToAbsl(UnixTime time) { return absl::FromUnixNanos(time.time_since_epoch().count()); }

// Nanoseconds since 1970 fit into 64 bits until 2262.
bool Fits(absl::Time time) {
  static const absl::Time kEnd = absl::FromCivil(absl::CivilDay(2200, 1, 1), absl::UTCTimeZone());
  return time >= absl::UnixEpoch() && time <= kEnd;
}

}  // namespace

UnixTime WallNow() { return std::chrono::system_clock::now(); }

std::string FormatTime(UnixTime time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", ToAbsl(time), absl::UTCTimeZone());
}

std::string FormatTimeToTheSecond(UnixTime time) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", ToAbsl(time), absl::UTCTimeZone());
}

absl::StatusOr<UnixTime> ParseWallTime(const std::string& text) {
  const bool utc = text.ends_with('Z') && !text.starts_with('@');
  const std::string bare = text.substr(0, text.size() - (utc ? 1 : 0));
  for (const char* format : {"@%s", "%Y-%m-%dT%H:%M:%E*S", "%Y-%m-%d %H:%M:%E*S", "%Y-%m-%dT%H:%M",
                             "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
    absl::Time time;
    if (!absl::ParseTime(format, bare, &time, nullptr) || !Fits(time)) continue;
    // ParseTime allows spaces around a moment; they are no part of one.
    if (absl::StripAsciiWhitespace(bare) != bare) break;
    return UnixTime(std::chrono::nanoseconds(absl::ToUnixNanos(time)));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no moment '", text, "': write 2026-11-16, 2026-11-16T05:26:17Z or @1700000000"));
}

}  // namespace foretell::agent
