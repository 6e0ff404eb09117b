// docs/mistakes.md is all of these mistakes in one table. With FORETELL_REWRITE=1 it is written
// anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "foretell/snapshot/testing/sample_records.h"
#include "foretell/tests/mistakes/compile_case.h"
#include "foretell/tests/mistakes/run_case.h"

namespace foretell::mistakes {
namespace {

using snapshot::Contents;

const std::string kRoot = FORETELL_SOURCE_DIR "/";
const std::string kPage = kRoot + "docs/mistakes.md";

struct Row {
  std::string written;
  std::string read;
  std::string test = "";  // The file of a test elsewhere that has the sentence; empty: it is here.
};

constexpr const char* kIntroduction =
    "# Mistakes, and what you read\n"
    "\n"
    "Each row is a test (`tests/mistakes`, which also writes this page), so that the sentences "
    "are\n"
    "what you read today. Names in them are those of the tests' services, a lock server and a\n"
    "ticker.\n";

std::vector<Row> CompileRows() {
  const auto cases = ParseCompileCases(Contents(kRoot + "tests/mistakes/compile.txt"),
                                       Contents(kRoot + "tests/mistakes/lock.cc"));
  std::vector<Row> rows;
  if (!cases.ok()) return rows;
  for (const CompileCase& mistake : *cases) {
    std::string written = mistake.name;
    for (const std::string& line : mistake.written) absl::StrAppend(&written, "<br>`", line, "`");
    rows.push_back({written, mistake.read});
  }
  return rows;
}

std::vector<Row> RunRows(const std::vector<RunCase>& cases) {
  std::vector<Row> rows;
  for (const RunCase& mistake : cases) rows.push_back({mistake.written, mistake.read});
  return rows;
}

std::vector<Row> GuardRows() {
  const char* const test = "tests/guard/guard_test.cc";
  return {
      {"A handler that follows a null pointer.", "crashed: SIGSEGV, a null pointer", test},
      {"A handler that calls itself without end.", "crashed: SIGSEGV, the stack is exhausted",
       test},
      {"A handler that never returns.", "does not return", test},
      {"A handler that aborts.", "crashed: SIGABRT", test},
      {"A handler that calls `exit`.", "ended the process (exit)", test},
      {"An invariant that follows a null pointer.", "invariant low crashed: SIGSEGV", test},
  };
}

std::vector<Row> PluginRows() {
  const char* const test = "model/plugin_test.cc";
  return {
      {"A plug-in for another version.", "made for plug-in version 8, this foretell has version",
       test},
      {"A plug-in of another compiler.", "built with \\\"another compiler\\\", this foretell with",
       test},
      {"A library that is no plug-in.", "no symbol foretell_plugin", test},
      {"A file that is no library.", "not a shared library", test},
      {"A path to nothing.", "no such file", test},
      {"A plug-in that throws while it is loaded.", "threw: no license server", test},
      {"Two services of one name.", "two services are named counter", test},
  };
}

struct Section {
  std::string title;
  std::vector<Row> rows;
};

std::vector<Section> Sections() {
  return {{"The compiler says", CompileRows()},
          {"A check says, of handlers", RunRows(HandlerCases())},
          {"A check says, of handlers that it cannot outlive", GuardRows()},
          {"A check says, of what it covered", RunRows(CoverageCases())},
          {"A check says, of names and numbers", RunRows(OptionCases())},
          {"A plug-in is refused", PluginRows()}};
}

// As text in a table of Markdown.
std::string Cell(const std::string& text) {
  return absl::StrReplaceAll(text, {{"|", "\\|"}, {"\\\"", "\""}});
}

std::string PageText() {
  std::string page = kIntroduction;
  for (const Section& section : Sections()) {
    absl::StrAppend(&page, "\n## ", section.title, "\n\n| you write | you read |\n|---|---|\n");
    for (const Row& row : section.rows) {
      const std::string read = absl::StrReplaceAll(Cell(row.read), {{"<", "\\<"}});
      absl::StrAppend(&page, "| ", Cell(row.written), " | ", read, " |\n");
    }
  }
  return page;
}

TEST(MistakesPageTest, SaysWhatTheTestsSay) {
  const std::string page = PageText();
  const char* const wish = std::getenv("FORETELL_REWRITE");
  if (wish != nullptr && std::string(wish) == "1") {
    snapshot::WriteContents(kPage, page);
    return;
  }
  EXPECT_EQ(Contents(kPage), page) << "FORETELL_REWRITE=1 writes it anew";
}

TEST(MistakesPageTest, EverySentenceIsTested) {
  for (const Section& section : Sections()) {
    EXPECT_FALSE(section.rows.empty()) << section.title;
    for (const Row& row : section.rows) {
      EXPECT_FALSE(row.read.empty()) << row.written;
      if (row.test.empty()) continue;
      EXPECT_NE(Contents(kRoot + row.test).find(row.read), std::string::npos)
          << row.test << ": " << row.read;
    }
  }
}

TEST(MistakesPageTest, EveryMistakeIsThereOnce) {
  std::set<std::string> seen;
  for (const Section& section : Sections()) {
    for (const Row& row : section.rows) EXPECT_TRUE(seen.insert(row.written).second) << row.written;
  }
}

}  // namespace
}  // namespace foretell::mistakes
