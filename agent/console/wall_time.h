#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/storage/unix_time.h"

namespace foretell::agent {

using snapshot::UnixTime;

UnixTime WallNow();

// "2026-11-16T05:26:17.123Z".
std::string FormatTime(UnixTime time);
// "2026-11-16 05:26:17 UTC", where milliseconds would be noise.
std::string FormatTimeToTheSecond(UnixTime time);

// A moment as people write it, always UTC: "2026-11-16", "2026-11-16T05:26", with seconds, with a
// fraction, with or without a Z; or "@1700000000", seconds since 1970. InvalidArgument says what
// is wrong and what would be right.
absl::StatusOr<UnixTime> ParseWallTime(const std::string& text);

}  // namespace foretell::agent
