#include "foretell/agent/console/wall_time.h"

#include <cstdint>
#include <cstdio>
#include <ctime>

namespace foretell::agent {

UnixTime WallNow() { return std::chrono::system_clock::now(); }

std::string FormatTime(UnixTime time) {
  const int64_t unix_nanos = time.time_since_epoch().count();
  const auto seconds = static_cast<time_t>(unix_nanos / 1'000'000'000);
  const auto millis = static_cast<int>(unix_nanos / 1'000'000 % 1000);
  struct tm parts = {};
  gmtime_r(&seconds, &parts);
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
  char text[48];
  std::snprintf(text, sizeof(text), "%s.%03dZ", date, millis);
  return text;
}

}  // namespace foretell::agent
