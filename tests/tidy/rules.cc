#include "foretell/tests/tidy/rules.h"

#include <algorithm>
#include <functional>
#include <regex>
#include <utility>

#include "foretell/tests/tidy/rooms.h"
#include "foretell/tests/tidy/source_text.h"

namespace foretell::tidy {
namespace {

constexpr size_t kFileLinesMax = 700;
constexpr size_t kFunctionLinesMax = 70;
constexpr size_t kColumnsMax = 100;

// Prose has links and tables that cannot be broken.
bool HasColumns(const std::string& path) {
  return IsCpp(path) || EndsWith(path, ".cmake") || EndsWith(path, "CMakeLists.txt") ||
         StartsWith(path, "scripts/");
}
// Outside of our build, and written like a stranger's code.
bool IsForeign(const std::string& path) { return StartsWith(path, "tests/package/"); }

// What one file is checked with.
class FileRules {
 public:
  FileRules(const Tree& tree, const std::string& path, const std::string& text,
            Complaints& complaints)
      : tree_(tree), path_(path), text_(text), lines_(SplitLines(text)), complaints_(complaints) {}

  void Run() {
    CheckLeftovers();
    if (HasColumns(path_)) CheckColumns();
    if (!IsCpp(path_)) return;
    CheckLengths();
    CheckIncludes();
    if (!IsTest(path_)) CheckLocks();
    CheckAwaits();
    if (IsHeader(path_)) CheckHeader();
  }

 private:
  void Complain(size_t line, const std::string& what) {
    complaints_.push_back(path_ + ":" + std::to_string(line) + ": " + what);
  }

  // Calls `found` with each match of `pattern` and its line number.
  void ForEach(const std::string& pattern,
               const std::function<void(size_t, const std::smatch&)>& found) {
    const std::regex regex(pattern);
    std::smatch match;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (std::regex_search(lines_[i], match, regex)) found(i + 1, match);
    }
  }

  void CheckLeftovers() {
    static const std::regex kLeftover(R"((\.orig|\.rej|\.swp|~)$|(^|/)placeholder\.)");
    if (std::regex_search(path_, kLeftover)) complaints_.push_back(path_ + ": a leftover");
    // Prose may talk about these marks; here they are spelt so that this file has none.
    if (EndsWith(path_, ".md")) return;
    ForEach(R"(\bFIX[M]E\b)", [this](size_t line, const std::smatch&) {
      Complain(line, "a fix-me mark never reaches main");
    });
    ForEach(R"(\bTO[D]O\b(?!\((perf|test|cleanup)\): ))", [this](size_t line, const std::smatch&) {
      Complain(line, "a to-do mark says (perf|test|cleanup) and a colon");
    });
    ForEach("^(<<<<<<<|>>>>>>>)( |$)",
            [this](size_t line, const std::smatch&) { Complain(line, "a merge conflict"); });
  }

  // GCC 12 destroys some temporaries there twice (model/process/task.h).
  void CheckAwaits() {
    static const std::string kAwait = "co_await ";
    for (size_t i = 0; i < lines_.size(); ++i) {
      const size_t await = lines_[i].find(kAwait);
      if (await == std::string::npos || lines_[i].find("//") < await) continue;
      if (BracesWithin(i, lines_[i].find('(', await))) {
        Complain(i + 1, "what is awaited has braces or a choice: name it in a line before");
      }
    }
  }
  // Whether there is a brace or a question mark between the parenthesis at `at` in line `line` and
  // its counterpart.
  bool BracesWithin(size_t line, size_t at) const {
    int depth = 0;
    for (; line < lines_.size() && at != std::string::npos; ++line, at = 0) {
      for (size_t i = at; i < lines_[line].size(); ++i) {
        const char c = lines_[line][i];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0) return false;
        if (c == '{' || c == '?') return true;
      }
    }
    return false;
  }

  void CheckColumns() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      // Continuation bytes of UTF-8 take no column.
      const auto columns = static_cast<size_t>(std::count_if(
          lines_[i].begin(), lines_[i].end(), [](char c) { return (c & 0xc0) != 0x80; }));
      if (columns > kColumnsMax) {
        Complain(i + 1, std::to_string(columns) + " columns, limit " + std::to_string(kColumnsMax));
      }
    }
  }

  void CheckLengths() {
    if (lines_.size() > kFileLinesMax) {
      complaints_.push_back(path_ + ": " + std::to_string(lines_.size()) + " lines, limit " +
                            std::to_string(kFileLinesMax));
    }
    for (const Function& function : FindFunctions(text_)) {
      if (function.lines <= kFunctionLinesMax) continue;
      Complain(function.line, "a function of " + std::to_string(function.lines) + " lines, limit " +
                                  std::to_string(kFunctionLinesMax));
    }
  }

  void CheckIncludes() {
    std::string first;
    ForEach(R"re(^#include ["<]([^">]+)[">])re", [&](size_t line, const std::smatch& match) {
      if (first.empty()) first = match[1];
      CheckInclude(line, match[1]);
    });
    const std::string own = OwnHeader();
    if (!own.empty() && first != "foretell/" + own) {
      Complain(1, "must include its own header first: " + own);
    }
  }

  void CheckInclude(size_t line, const std::string& included) {
    if (tree_.count(included) != 0) Complain(line, included + " is included as foretell/...");
    if (!StartsWith(included, "foretell/")) return;
    const bool for_tests = included.find("/testing/") != std::string::npos ||
                           included.find("/testdata/") != std::string::npos ||
                           StartsWith(included, "foretell/tests/");
    if (for_tests && !IsTest(path_)) Complain(line, included + " is for tests only");
  }

  // The header that a .cc implements or tests; empty if there is none.
  std::string OwnHeader() const {
    if (IsHeader(path_) || IsForeign(path_)) return "";
    static const std::regex kSuffix(R"((_test|_bench)?\.cc$)");
    const std::string header = std::regex_replace(path_, kSuffix, ".h");
    return tree_.count(header) != 0 ? header : "";
  }

  // What Clang's analysis does not see, it does not check.
  void CheckLocks() {
    const std::string ours = "model/sync/mutex.h";
    if (path_ == ours) return;
    ForEach(R"(\b(std::(\w*mutex|condition_variable\w*|(lock_guard|\w+_lock)\b)|absl::Mutex\w*))",
            [&](size_t line, const std::smatch& match) {
              Complain(line, match.str(1) + ": locks are those of " + ours);
            });
  }

  void CheckHeader() {
    if (text_.find("#pragma once\n") == std::string::npos) Complain(1, "no #pragma once");
    ForEach(R"(^\s*using namespace )", [this](size_t line, const std::smatch&) {
      Complain(line, "using namespace in a header");
    });
    // Each costs seconds in every file that includes it.
    ForEach(R"(^#include [<"](CLI/CLI\.hpp|nlohmann/json\.hpp|capnp/|opentelemetry/))",
            [this](size_t line, const std::smatch& match) {
              Complain(line, match.str(1) + " in a header: keep it in a .cc");
            });
  }

  const Tree& tree_;
  const std::string& path_;
  const std::string& text_;
  std::vector<std::string> lines_;
  Complaints& complaints_;
};

// A fence behind <!-- quote: PATH --> is a part of that file, so that what people copy compiles.
void CheckQuotes(const Tree& tree, Complaints& complaints) {
  static const std::regex kQuote(R"(<!-- quote: (\S+) -->\n```\w*\n)");
  for (const auto& [path, text] : tree) {
    if (!EndsWith(path, ".md")) continue;
    for (std::sregex_iterator it(text.begin(), text.end(), kQuote), end; it != end; ++it) {
      const auto from = static_cast<size_t>(it->position() + it->length());
      const std::string quoted = text.substr(from, text.find("```", from) - from);
      const auto source = tree.find((*it)[1]);
      if (source == tree.end() || source->second.find(quoted) == std::string::npos) {
        complaints.push_back(path + ": the quote is not what " + it->str(1) + " says");
      }
    }
  }
}

// A number that is missing is one that somebody else has taken and not landed yet.
void CheckDecisions(const Tree& tree, Complaints& complaints) {
  static const std::regex kDecision(R"(^docs/decisions/(\d{4})-[a-z0-9-]+\.md$)");
  int last = 0;
  for (const auto& [path, text] : tree) {
    if (!StartsWith(path, "docs/decisions/") || EndsWith(path, "/README.md")) continue;
    std::smatch match;
    if (!std::regex_match(path, match, kDecision)) {
      complaints.push_back(path + ": decisions are named NNNN-title.md");
    } else if (std::stoi(match[1]) == std::exchange(last, std::stoi(match[1]))) {
      complaints.push_back(path + ": number " + std::to_string(last) + " is taken");
    }
  }
}

}  // namespace

Complaints Check(const Tree& tree) {
  Complaints complaints;
  for (const auto& [path, text] : tree) FileRules(tree, path, text, complaints).Run();
  CheckRooms(tree, complaints);
  CheckQuotes(tree, complaints);
  CheckDecisions(tree, complaints);
  return complaints;
}

}  // namespace foretell::tidy
