#include "foretell/agent/console/time_argument.h"

#include <cctype>
#include <charconv>
#include <cstring>
#include <ctime>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

// Beyond the year 2200 nanoseconds since 1970 no longer fit into 64 bits.
constexpr int64_t kSecondsMax = 7'258'118'400;

absl::Status Wrong(const std::string& text) {
  return absl::InvalidArgumentError(absl::StrCat(
      "no moment '", text, "': write 2026-11-16, 2026-11-16T05:26:17Z or @1700000000"));
}

// ".25" is 250,000,000 nanoseconds. Moves `at` behind it.
nanoseconds TakeFraction(const char*& at) {
  nanoseconds fraction{0};
  if (*at != '.') return fraction;
  nanoseconds unit{100'000'000};
  for (++at; std::isdigit(static_cast<unsigned char>(*at)); ++at, unit /= 10) {
    fraction += unit * (*at - '0');
  }
  return fraction;
}

}  // namespace

absl::StatusOr<UnixTime> ParseWallTime(const std::string& text) {
  int64_t since = 0;
  if (text.starts_with("@")) {
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + 1, end, since);
    if (error != std::errc() || at != end || since < 0 || since > kSecondsMax) return Wrong(text);
    return UnixTime(seconds(since));
  }
  for (const char* format :
       {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"}) {
    struct tm parts = {};
    const char* at = strptime(text.c_str(), format, &parts);
    if (at == nullptr) continue;
    const nanoseconds fraction = TakeFraction(at);
    if (*at == 'Z') ++at;
    since = timegm(&parts);
    if (*at != '\0' || since < 0 || since > kSecondsMax) continue;
    return UnixTime(seconds(since)) + fraction;
  }
  return Wrong(text);
}

}  // namespace foretell::agent
