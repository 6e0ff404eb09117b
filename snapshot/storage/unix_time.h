#pragma once

#include <chrono>

namespace foretell::snapshot {

// Wall-clock time, since 1970 and in UTC, as it is kept on disk.
using UnixTime = std::chrono::sys_time<std::chrono::nanoseconds>;

}  // namespace foretell::snapshot
