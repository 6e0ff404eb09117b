#include "foretell/tests/bench/figures.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "foretell/agent/console/quantities.h"

namespace foretell::bench {
namespace {

// Three digits that mean something.
std::string Rounded(double value, const char* unit) {
  std::array<char, 48> buffer;
  const int decimals = value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(buffer.data(), buffer.size(), "%.*f%s", decimals, value, unit);
  return buffer.data();
}

}  // namespace

std::string Count(std::optional<uint64_t> count) {
  return count ? agent::FormatCount(*count) : kNoFigure;
}

std::string Bytes(std::optional<uint64_t> bytes) {
  return bytes ? agent::FormatBytes(*bytes) : kNoFigure;
}

std::string Time(Seconds time) {
  return time < Seconds(0.9995) ? Rounded(time.count() * 1e3, " ms") : Rounded(time.count(), " s");
}

std::string Times(double ratio) {
  if (ratio == 1) return "1x";
  if (ratio < 99.95) return Rounded(ratio, "x");
  return agent::FormatCount(static_cast<uint64_t>(std::llround(ratio))) + "x";
}

}  // namespace foretell::bench
