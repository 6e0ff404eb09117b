#pragma once

#include <chrono>

namespace foretell::integration::sdk {

// A moment of the clock that a host is given: never the wall's.
using Time = std::chrono::steady_clock::time_point;

}  // namespace foretell::integration::sdk
