#include "foretell/tests/tidy/tree.h"

#include <regex>

#include "foretell/tests/tidy/source_text.h"

namespace foretell::tidy {

bool StartsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string TopFolderOf(const std::string& path) { return path.substr(0, path.find('/')); }

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

bool IsHeader(const std::string& path) { return EndsWith(path, ".h"); }
bool IsCpp(const std::string& path) { return IsHeader(path) || EndsWith(path, ".cc"); }

bool IsTest(const std::string& path) {
  return EndsWith(path, "_test.cc") || EndsWith(path, "_bench.cc") ||
         path.find("/testing/") != std::string::npos ||
         path.find("/testdata/") != std::string::npos || TopFolderOf(path) == "tests";
}

std::vector<Include> IncludesOf(const std::string& text) {
  static const std::regex kInclude(R"re(^#include "foretell/([^"]+)")re");
  std::vector<Include> includes;
  const std::vector<std::string> lines = SplitLines(text);
  std::smatch match;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (std::regex_search(lines[i], match, kInclude)) includes.push_back({i + 1, match[1]});
  }
  return includes;
}

}  // namespace foretell::tidy
