#pragma once

#include <string>
#include <vector>

#include "foretell/agent/console/console.h"

namespace foretell::agent {

// What a piece of text means; the colour follows from it.
enum class Ink : unsigned char { kPlain, kDim, kHead, kMark, kArrow, kChange, kGood, kBad };

// `text` in the colour of `ink`, if `look` has colours.
std::string Inked(const std::string& text, Ink ink, const Look& look);

// One line of text that is drawn out of order.
class TextRow {
 public:
  // Overwrites what was there. REQUIRES: `text` is valid UTF-8 without control characters.
  void Put(size_t column, const std::string& text, Ink ink = Ink::kPlain);
  // The line, without trailing spaces, with a newline.
  std::string Finish(const Look& look) const;

 private:
  struct Cell {
    std::string glyph = " ";
    Ink ink = Ink::kPlain;
  };
  std::vector<Cell> cells_;
};

}  // namespace foretell::agent
