#pragma once

#include <cstdint>
#include <string>

namespace foretell::agent {

// Nanoseconds since 1970.
int64_t WallNow();
// "2026-11-16T05:26:17.123Z".
std::string FormatWallTime(int64_t unix_nanos);

}  // namespace foretell::agent
