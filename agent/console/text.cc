#include "foretell/agent/console/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <sstream>

#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

// Length of the well-formed UTF-8 sequence at `at`; 0 if there is none. Overlong forms,
// surrogates and values beyond Unicode are not well-formed.
size_t SequenceLength(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) -> uint32_t {
    return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : 0;
  };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  uint32_t point = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  const uint32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return point < least || point > 0x10ffff || surrogate ? 0 : length;
}

// C1 controls are two bytes in UTF-8 and still steer terminals.
bool IsControl(std::string_view text, size_t at, size_t length) {
  const auto lead = static_cast<uint8_t>(text[at]);
  if (length == 1) return lead < 0x20 || lead == 0x7f;
  return length == 2 && lead == 0xc2 && static_cast<uint8_t>(text[at + 1]) < 0xa0;
}

// U+FFFE and U+FFFF: no characters, and no part of XML.
bool IsNoCharacter(std::string_view text, size_t at, size_t length) {
  return length == 3 && static_cast<uint8_t>(text[at]) == 0xef &&
         static_cast<uint8_t>(text[at + 1]) == 0xbf && static_cast<uint8_t>(text[at + 2]) >= 0xbe;
}

void AppendEscaped(std::string& out, char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<uint8_t>(c);
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

// The entity for `c`; null if it needs none.
const char* EntityOf(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return nullptr;
  }
}

}  // namespace

std::string Printable(const std::string& text, bool utf8) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = SequenceLength(text, at);
    if (length == 0 || (length > 1 && !utf8) || IsControl(text, at, length) ||
        IsNoCharacter(text, at, length)) {
      for (size_t i = 0; i < std::max<size_t>(length, 1); ++i) AppendEscaped(out, text[at + i]);
    } else {
      out.append(text, at, length);
    }
    at += std::max<size_t>(length, 1);
  }
  return out;
}

std::vector<std::string> Glyphs(const std::string& text) {
  std::vector<std::string> glyphs;
  for (size_t at = 0; at < text.size();) {
    const size_t length = std::max<size_t>(SequenceLength(text, at), 1);
    glyphs.push_back(text.substr(at, length));
    at += length;
  }
  return glyphs;
}

size_t Width(const std::string& text) { return Glyphs(text).size(); }

std::string Shorten(const std::string& text, size_t width, bool utf8) {
  const std::vector<std::string> glyphs = Glyphs(text);
  if (glyphs.size() <= width) return text;
  const std::string mark = utf8 ? "…" : "...";
  const size_t kept = width - std::min(width, Width(mark));
  std::string out;
  for (size_t i = 0; i < kept; ++i) out += glyphs[i];
  return out + mark;
}

std::vector<std::string> Wrap(const std::string& text, size_t width) {
  FORETELL_CHECK(width > 8);
  std::vector<std::string> lines = {""};
  size_t used = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t length = Width(word);
    if (used > 0 && used + 1 + length > width) {
      lines.push_back("  ");
      used = 2;
    } else if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    for (const std::string& glyph : Glyphs(word)) {
      if (used == width) {
        lines.push_back("  ");
        used = 2;
      }
      lines.back() += glyph;
      ++used;
    }
  }
  return lines;
}

std::string XmlText(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = SequenceLength(text, at);
    const bool space = text[at] == '\t' || text[at] == '\n' || text[at] == '\r';
    if (length == 0 || (IsControl(text, at, length) && !space) || IsNoCharacter(text, at, length)) {
      for (size_t i = 0; i < std::max<size_t>(length, 1); ++i) AppendEscaped(out, text[at + i]);
    } else if (const char* const entity = EntityOf(text[at])) {
      out += entity;
    } else {
      out.append(text, at, length);
    }
    at += std::max<size_t>(length, 1);
  }
  return out;
}

std::string ShellWord(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '/' || c == '+';
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace foretell::agent
