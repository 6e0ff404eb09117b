#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace foretell::agent {

// `text` safe for one line of a terminal or a picture: control characters and bytes that are not
// UTF-8 become \xNN; so does everything beyond ASCII unless `utf8`.
std::string Printable(const std::string& text, bool utf8);

// The code points of valid UTF-8, one string each. We count each as one column.
std::vector<std::string> Glyphs(const std::string& text);
size_t Width(const std::string& text);

// At most `width` columns; a cut is marked by "..." or its one-column sign.
std::string Shorten(const std::string& text, size_t width, bool utf8);

// Breaks at spaces into lines of at most `width` columns; continuation lines are indented by two.
std::vector<std::string> Wrap(const std::string& text, size_t width);

// `text` for XML and HTML, between tags and in attributes. Bytes that are not UTF-8, and control
// characters other than white space, become \xNN: XML cannot hold them in any form.
std::string XmlText(std::string_view text);

// `word` as a shell takes it for one: in quotes unless it needs none. For commands that people
// copy.
std::string ShellWord(const std::string& word);

}  // namespace foretell::agent
