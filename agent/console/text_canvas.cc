#include "foretell/agent/console/text_canvas.h"

#include "foretell/agent/console/text.h"

namespace foretell::agent {
namespace {

const char* CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain: return "";
    case Ink::kDim: return "\x1b[2m";
    case Ink::kHead: return "\x1b[1m";
    case Ink::kMark: return "\x1b[1;36m";
    case Ink::kArrow: return "\x1b[36m";
    case Ink::kChange: return "\x1b[33m";
    case Ink::kGood: return "\x1b[1;32m";
    case Ink::kBad: return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

std::string Inked(const std::string& text, Ink ink, const Look& look) {
  if (!look.colour || ink == Ink::kPlain || text.empty()) return text;
  return CodeOf(ink) + text + "\x1b[0m";
}

void TextRow::Put(size_t column, const std::string& text, Ink ink) {
  for (const std::string& glyph : Glyphs(text)) {
    if (cells_.size() <= column) cells_.resize(column + 1);
    cells_[column++] = {glyph, ink};
  }
}

std::string TextRow::Finish(const Look& look) const {
  size_t end = cells_.size();
  while (end > 0 && cells_[end - 1].glyph == " ") --end;
  std::string line;
  for (size_t i = 0; i < end;) {
    std::string run;
    const Ink ink = cells_[i].ink;
    while (i < end && cells_[i].ink == ink) run += cells_[i++].glyph;
    line += Inked(run, ink, look);
  }
  return line + "\n";
}

}  // namespace foretell::agent
