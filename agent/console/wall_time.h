#pragma once

#include <chrono>
#include <string>

namespace foretell::agent {

// A moment on the wall clock, UTC; the type that snapshots have it in.
using UnixTime = std::chrono::sys_time<std::chrono::nanoseconds>;

UnixTime WallNow();
// "2026-11-16T05:26:17.123Z".
std::string FormatTime(UnixTime time);

}  // namespace foretell::agent
