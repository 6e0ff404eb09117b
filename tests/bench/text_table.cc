#include "foretell/tests/bench/text_table.h"

#include <algorithm>
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

std::string TextTable::Text(size_t header_rows) const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  size_t width = 0;
  for (const size_t column : widths) width += column + 2;
  std::string text;
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (r == header_rows) text += std::string(width - 2, '-') + "\n";
    for (size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& cell = rows_[r][i];
      if (i == 0) text += cell;
      text.append(widths[i] - cell.size() + (i == 0 ? 0 : 2), ' ');
      if (i > 0) text += cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

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
