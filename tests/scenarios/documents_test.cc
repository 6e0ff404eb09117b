// The examples of README.md and docs/tutorial.md: every command `$ foretell check ...` of a text
// block is run, and prints what the page says. [...] stands for lines that are left out.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/model/plugin.h"
#include "foretell/snapshot/testing/sample_records.h"
#include "foretell/tests/scenarios/verbs.h"

// The tutorial's service, tests/package/commit.cc, is compiled into this test.
extern "C" const foretell::model::PluginEntry* foretell_plugin();

namespace foretell::scenarios {
namespace {

using Lines = std::vector<std::string>;

struct Example {
  std::string command;
  Lines printed;
};

// Figures depend on the machine, and those of engine portfolio on who was first.
std::string WithoutFigures(const std::string& line) {
  static const std::regex kFigures(R"(^  [\d,.]+ (k |M )?(node )?states, .* peak memory$)");
  static const std::regex kCovered(R"(\(complete\), .* states\.)");
  static const std::regex kAnswer(R"(Answer of [a-z]+\.)");
  std::string text = std::regex_replace(line, kFigures, "  #");
  text = std::regex_replace(text, kCovered, "(complete), #.");
  return std::regex_replace(text, kAnswer, "Answer of #.");
}

Lines LinesOf(const std::string& text) {
  Lines lines = absl::StrSplit(text, '\n');
  for (std::string& line : lines) line = WithoutFigures(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<Example> ExamplesOf(const std::string& page) {
  std::vector<Example> examples;
  bool inside = false;
  const Lines lines = absl::StrSplit(snapshot::Contents(page), '\n');
  for (const std::string& line : lines) {
    if (absl::StartsWith(line, "```")) {
      inside = false;
    } else if (absl::StartsWith(line, "$ ")) {
      inside = absl::StartsWith(line, "$ foretell check ");
      if (inside) examples.push_back({.command = line.substr(2)});
    } else if (inside) {
      examples.back().printed.push_back(line);
    }
  }
  return examples;
}

Lines Printed(const std::string& line) {
  Lines words = absl::StrSplit(line, ' ');
  const auto plugin = std::find(words.begin(), words.end(), "--plugin");
  if (plugin != words.end()) words.erase(plugin, plugin + 2);
  Stage stage;
  stage.style = {.utf8 = true};
  foretell_plugin()->add_families(stage.parts.catalog);
  const Reaction reaction =
      RunCommandLine({.verb = "foretell", .words = {words.begin() + 1, words.end()}}, stage);
  EXPECT_TRUE(reaction.ok()) << reaction.status();
  Lines lines = LinesOf(reaction.ok() ? *reaction : "");
  if (!lines.empty() && absl::StartsWith(lines.back(), "exit ")) lines.pop_back();
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// Whether `lines` is `pattern`, from there on.
bool Matches(const Lines& pattern, size_t p, const Lines& lines, size_t l) {
  if (p == pattern.size()) return l == lines.size();
  if (pattern[p] != "[...]") {
    return l < lines.size() && pattern[p] == lines[l] && Matches(pattern, p + 1, lines, l + 1);
  }
  for (size_t next = l; next <= lines.size(); ++next) {
    if (Matches(pattern, p + 1, lines, next)) return true;
  }
  return false;
}

class DocumentsTest : public testing::TestWithParam<const char*> {};

TEST_P(DocumentsTest, ExamplesPrintWhatThePageSays) {
  const std::string page = std::string(FORETELL_STORIES "/../../") + GetParam();
  const std::vector<Example> examples = ExamplesOf(page);
  EXPECT_GE(examples.size(), 2u);
  for (const Example& example : examples) {
    const Lines expected = LinesOf(absl::StrJoin(example.printed, "\n"));
    const Lines printed = Printed(example.command);
    EXPECT_TRUE(Matches(expected, 0, printed, 0))
        << example.command << " prints\n"
        << absl::StrJoin(printed, "\n") << "\nand the page says\n"
        << absl::StrJoin(expected, "\n");
  }
}

std::string NameOf(const testing::TestParamInfo<const char*>& page) {
  return page.index == 0 ? "Readme" : "Tutorial";
}
INSTANTIATE_TEST_SUITE_P(Of, DocumentsTest, testing::Values("README.md", "docs/tutorial.md"),
                         NameOf);

}  // namespace
}  // namespace foretell::scenarios
