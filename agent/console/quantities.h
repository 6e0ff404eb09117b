#pragma once

// Durations, sizes and counts as people write and read them.

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::agent {

// "500ms", "10s", "1.5m", "1h": more than nothing, at most a year. InvalidArgument says what is
// wrong and what would be right.
absl::StatusOr<std::chrono::milliseconds> ParseDuration(const std::string& text);
// "512MiB", "4GiB", "2GB": at least 1 MiB, at most 1 PiB.
absl::StatusOr<uint64_t> ParseSize(const std::string& text);
// A whole number of at least `least`.
absl::StatusOr<uint64_t> ParseCount(const std::string& text, uint64_t least = 1);

// As ParseDuration and ParseSize read it, in the largest unit that leaves no fraction: "500ms",
// "1GiB". Less than a KB is left out.
std::string DurationText(std::chrono::milliseconds duration);
std::string SizeText(uint64_t bytes);

std::string FormatCount(uint64_t count);    // "7,068"
std::string ShortCount(uint64_t count);     // "7.07 k", "88.2 M"
std::string FormatBytes(uint64_t bytes);    // "412 MiB"
std::string FormatSeconds(double seconds);  // "3 ms", "0.31 s", "12.5 s", "2 min 5 s"

}  // namespace foretell::agent
