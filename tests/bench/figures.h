#pragma once

// Figures as text, for people.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "foretell/agent/console/table.h"

namespace foretell::bench {

using Seconds = std::chrono::duration<double>;

using agent::Table;

inline constexpr const char* kNoFigure = "-";

std::string Count(std::optional<uint64_t> count);  // "7,068"; kNoFigure if there is none.
std::string Bytes(std::optional<uint64_t> bytes);  // "412 MiB"; kNoFigure if there is none.
std::string Time(Seconds time);                    // "0.412 ms", "12.5 ms", "3.04 s", "187 s"
std::string Times(double ratio);                   // "1.4x", "8,000x"

}  // namespace foretell::bench
