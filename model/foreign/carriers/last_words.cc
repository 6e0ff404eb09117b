#include "foretell/model/foreign/carriers/last_words.h"

#include <string.h>
#include <sys/wait.h>

#include <cctype>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace foretell::model::foreign {
namespace {

constexpr size_t kLinesMax = 4;

// "0xc000123456" becomes "0x...".
std::string WithoutAddresses(const std::string& line) {
  std::string text;
  for (size_t i = 0; i < line.size();) {
    if (line.compare(i, 2, "0x") != 0) {
      text.push_back(line[i++]);
      continue;
    }
    size_t end = i + 2;
    while (end < line.size() && std::isxdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
    text.append(end - i > 6 ? "0x..." : line.substr(i, end - i));
    i = end;
  }
  return text;
}

}  // namespace

std::string EndText(int status) {
  if (WIFSIGNALED(status)) {
    const char* const name = sigabbrev_np(WTERMSIG(status));
    return absl::StrCat("was ended by SIG", name == nullptr ? "?" : name);
  }
  return absl::StrCat("ended with exit status ", WEXITSTATUS(status));
}

std::string LastWords(const std::string& heard) {
  std::vector<std::string> lines;
  for (const auto& line : absl::StrSplit(heard, '\n')) {
    std::string words(absl::StripAsciiWhitespace(line));
    if (!words.empty()) lines.push_back(WithoutAddresses(words));
  }
  if (lines.empty()) return "";
  if (lines.size() > kLinesMax) lines.erase(lines.begin(), lines.end() - kLinesMax);
  return absl::StrCat("; its last words: ", absl::StrJoin(lines, " | "));
}

}  // namespace foretell::model::foreign
