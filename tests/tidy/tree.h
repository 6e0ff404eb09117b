#pragma once

#include <map>
#include <string>
#include <vector>

namespace foretell::tidy {

// A source tree in memory: path, with / and relative to the root, to text.
using Tree = std::map<std::string, std::string>;
// A complaint is one line that starts with the path and, where there is one, the line.
using Complaints = std::vector<std::string>;

bool StartsWith(const std::string& text, const std::string& start);
bool EndsWith(const std::string& text, const std::string& end);
std::string TopFolderOf(const std::string& path);
std::string FolderOf(const std::string& path);
bool IsHeader(const std::string& path);
bool IsCpp(const std::string& path);
bool IsTest(const std::string& path);

// An include of a header of ours, by its path in the tree.
struct Include {
  size_t line = 0;
  std::string path;
};
std::vector<Include> IncludesOf(const std::string& text);

}  // namespace foretell::tidy
