#pragma once

// Figures as aligned text, for people.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foretell::bench {

using Seconds = std::chrono::duration<double>;

// Rows of cells. The first column is aligned to the left, the others to the right; each is as wide
// as its widest cell.
class TextTable {
 public:
  using Row = std::vector<std::string>;
  void Add(Row row) { rows_.push_back(std::move(row)); }
  // The first `header_rows` rows are set off by a line.
  std::string Text(size_t header_rows) const;

 private:
  std::vector<Row> rows_;
};

inline constexpr const char* kNoFigure = "-";

std::string Count(std::optional<uint64_t> count);  // "7,068"; kNoFigure if there is none.
std::string Bytes(std::optional<uint64_t> bytes);  // "412 MiB"; kNoFigure if there is none.
std::string Time(Seconds time);                    // "0.412 ms", "12.5 ms", "3.04 s", "187 s"
std::string Times(double ratio);                   // "1.4x", "8,000x"

}  // namespace foretell::bench
