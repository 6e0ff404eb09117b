#pragma once

#include <string>
#include <vector>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

// The meaning of a piece of text; the colour follows from it.
enum class Colour : unsigned char { kPlain, kDim, kHead, kMark, kArrow, kChange, kGood, kBad };

// `text` in the colour of `colour`, if `style` has colours.
std::string Coloured(const std::string& text, Colour colour, const TerminalStyle& style);

// One line of text that is drawn out of order.
class TextRow {
 public:
  // Overwrites what was there. REQUIRES: `text` is valid UTF-8 without control characters.
  void Put(size_t column, const std::string& text, Colour colour = Colour::kPlain);
  // The line, without trailing spaces, with a newline.
  std::string Finish(const TerminalStyle& style) const;

 private:
  struct Cell {
    std::string glyph = " ";
    Colour colour = Colour::kPlain;
  };
  std::vector<Cell> cells_;
};

}  // namespace foretell::agent
