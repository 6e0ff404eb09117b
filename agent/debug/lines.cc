#include "foretell/agent/debug/lines.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace foretell::agent {

std::optional<std::string> StreamLines::Next(const std::string& prompt) {
  std::string line;
  if (!std::getline(in_, line)) return std::nullopt;
  echo_ << prompt << line << "\n";
  return line;
}

std::string HistoryFile(const char* state_home, const char* home) {
  // The specification wants relative paths to be ignored.
  const bool has_state = state_home != nullptr && state_home[0] == '/';
  if (!has_state && (home == nullptr || home[0] != '/')) return "";
  return absl::StrCat(has_state ? state_home : absl::StrCat(home, "/.local/state"),
                      "/foretell/debug_history");
}

std::string Completed(const std::string& line, const std::vector<std::string>& completions) {
  if (completions.empty()) return line;
  const size_t space = line.find_last_of(" \t");
  const std::string head = space == std::string::npos ? "" : line.substr(0, space + 1);
  if (completions.size() == 1) return absl::StrCat(head, completions.front(), " ");
  std::string common = completions.front();
  for (const std::string& other : completions) {
    const auto end = std::mismatch(common.begin(), common.end(), other.begin(), other.end()).first;
    common.erase(end, common.end());
  }
  return head + common;
}

}  // namespace foretell::agent
