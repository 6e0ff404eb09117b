#include "foretell/agent/console/text_canvas.h"

#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

const char* CodeOf(Colour colour) {
  switch (colour) {
    case Colour::kPlain: return "";
    case Colour::kDim: return "\x1b[2m";
    case Colour::kHead: return "\x1b[1m";
    case Colour::kMark: return "\x1b[1;36m";
    case Colour::kArrow: return "\x1b[36m";
    case Colour::kChange: return "\x1b[33m";
    case Colour::kGood: return "\x1b[1;32m";
    case Colour::kBad: return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

std::string Coloured(const std::string& text, Colour colour, const TerminalStyle& style) {
  if (!style.colour || colour == Colour::kPlain || text.empty()) return text;
  return CodeOf(colour) + text + "\x1b[0m";
}

void TextRow::Put(size_t column, const std::string& text, Colour colour) {
  for (const std::string& glyph : Glyphs(text)) {
    if (cells_.size() <= column) cells_.resize(column + 1);
    cells_[column++] = {glyph, colour};
  }
}

std::string TextRow::Finish(const TerminalStyle& style) const {
  size_t end = cells_.size();
  while (end > 0 && cells_[end - 1].glyph == " ") --end;
  std::string line;
  for (size_t i = 0; i < end;) {
    std::string run;
    const Colour colour = cells_[i].colour;
    while (i < end && cells_[i].colour == colour) run += cells_[i++].glyph;
    line += Coloured(run, colour, style);
  }
  return line + "\n";
}

}  // namespace foretell::agent
