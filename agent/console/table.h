#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "foretell/agent/console/console.h"
#include "foretell/agent/console/text_canvas.h"

namespace foretell::agent {

// Rows of cells for people. Each column is as wide as its widest cell. What is not said otherwise:
// the first column is aligned to the left, the others to the right, two spaces apart.
class Table {
 public:
  using Row = std::vector<std::string>;
  enum class Align : unsigned char { kLeft, kRight };
  struct Column {
    Align align = Align::kRight;
    size_t least = 0;  // Its width, also if no cell is as wide.
    Colour colour = Colour::kPlain;
  };
  struct Layout {
    std::vector<Column> columns;
    size_t indent = 0;
    size_t gap = 2;
    bool wraps = false;  // The last column breaks at spaces, to keep to the reader's columns.
  };
  Table() = default;
  explicit Table(Layout layout) : layout_(std::move(layout)) {}

  // REQUIRES: cells are valid UTF-8 without control characters (Printable).
  void Add(Row row) { rows_.push_back(std::move(row)); }

  // One line per row, more where the last column wraps; without spaces at the end.
  std::vector<std::string> Lines(const TerminalStyle& style = {}) const;
  // The lines, of which the first `header_rows` are set off by a rule.
  std::string Text(size_t header_rows) const;

 private:
  Column ColumnAt(size_t index) const;
  std::vector<size_t> Widths() const;
  void AppendRow(const Row& row, const std::vector<size_t>& widths, const TerminalStyle& style,
                 std::vector<std::string>& lines) const;

  Layout layout_;
  std::vector<Row> rows_;
};

}  // namespace foretell::agent
