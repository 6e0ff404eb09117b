#include "foretell/agent/console/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

// What a column that wraps is never narrower than.
constexpr size_t kWrappedLeast = 40;

}  // namespace

Table::Column Table::ColumnAt(size_t index) const {
  if (index < layout_.columns.size()) return layout_.columns[index];
  return {.align = index == 0 ? Align::kLeft : Align::kRight};
}

std::vector<size_t> Table::Widths() const {
  std::vector<size_t> widths;
  for (const Column& column : layout_.columns) widths.push_back(column.least);
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  return widths;
}

void Table::AppendRow(const Row& row, const std::vector<size_t>& widths, const TerminalStyle& style,
                      std::vector<std::string>& lines) const {
  std::string line;
  size_t written = 0;          // Columns of `line`.
  size_t at = layout_.indent;  // Where the cell begins.
  const auto end_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::exchange(line, ""));
    written = 0;
  };
  for (size_t i = 0; i < row.size(); ++i) {
    const Column column = ColumnAt(i);
    const bool wraps = layout_.wraps && i + 1 == row.size();
    const std::vector<std::string> parts =
        wraps ? Wrap(row[i], std::max(style.columns, at + kWrappedLeast) - at) : Row{row[i]};
    for (size_t part = 0; part < parts.size(); ++part) {
      if (part > 0) end_line();
      const size_t width = Width(parts[part]);
      const size_t start = column.align == Align::kRight ? at + widths[i] - width : at;
      line += std::string(start - written, ' ') + Coloured(parts[part], column.colour, style);
      written = start + width;
    }
    at += widths[i] + layout_.gap;
  }
  end_line();
}

std::vector<std::string> Table::Lines(const TerminalStyle& style) const {
  const std::vector<size_t> widths = Widths();
  std::vector<std::string> lines;
  for (const Row& row : rows_) AppendRow(row, widths, style, lines);
  return lines;
}

std::string Table::Text(size_t header_rows) const {
  const std::vector<size_t> widths = Widths();
  const size_t width = std::accumulate(widths.begin(), widths.end(), size_t{0}) +
                       layout_.gap * (widths.size() - std::min<size_t>(widths.size(), 1));
  const std::vector<std::string> lines = Lines();
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == header_rows) text += std::string(width, '-') + "\n";
    text += lines[i] + "\n";
  }
  return text;
}

}  // namespace foretell::agent
