// docs/mistakes.md is all of these mistakes in one table. With FORETELL_REWRITE=1 it is written
// anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
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
  // The file of a test elsewhere, and the parts of the sentence that it has; empty: it is here.
  std::string test = "";
  std::vector<std::string> parts = {};
};

constexpr const char* kIntroduction =
    "# Mistakes, and what you read\n"
    "\n"
    "Each row is a test (`tests/mistakes`, which also writes this page), so that the sentences "
    "are\n"
    "what you read today. Names in them are those of the tests' services, a lock server and a\n"
    "ticker. Where a check speaks, the row has the whole line.\n"
    "\n"
    "Two things are not caught. A hook whose wrong name nobody has thought of (`OnKrash`) is a\n"
    "function like any other: C++20 cannot list the members of a class, so that wrong names are\n"
    "known from a list (`model/typed/hook_table.h`). `OnMessage`, `Actions` and others that must "
    "be\n"
    "there are missed in any case; of one that has a default, the default runs, and of faults a\n"
    "verdict says so. And a member of a *message* that a `Fields` written by hand leaves out is "
    "not\n"
    "found; `FORETELL_FIELDS` cannot leave one out.\n";

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

// The whole line in which a case has its sentence, as engine global says it if it is asked: the
// same everywhere.
std::string WholeLine(const RunCase& mistake) {
  const auto& engines = mistake.engines;
  const bool global = std::find(engines.begin(), engines.end(), "global") != engines.end();
  for (const auto& line : absl::StrSplit(mistake.text(global ? "global" : engines.front()), '\n')) {
    if (std::string text(line); text.find(mistake.read) != std::string::npos) {
      return std::string(absl::StripAsciiWhitespace(text));
    }
  }
  return "";
}

std::vector<Row> RunRows(const std::vector<RunCase>& cases) {
  std::vector<Row> rows;
  for (const RunCase& mistake : cases) rows.push_back({mistake.written, WholeLine(mistake)});
  return rows;
}

constexpr const char* kVaries = "...";  // From build to build.

// A row whose sentence a test elsewhere has in parts.
Row Elsewhere(const char* test, std::string written, std::vector<std::string> parts) {
  const std::string read = absl::StrJoin(parts, "");
  return {std::move(written), read, test, std::move(parts)};
}

std::vector<Row> GuardRows() {
  const auto row = [](std::string written, std::string what) {
    return Elsewhere("tests/guard/guard_test.cc", std::move(written),
                     {"foretell: misbehaving: the handler of deliver Ping(n=7) from node 0 at "
                      "node 1 ",
                      std::move(what), "; before that, node 1 had count=4"});
  };
  return {
      row("A handler that follows a null pointer.", "crashed: SIGSEGV, a null pointer"),
      row("A handler that calls itself without end.", "crashed: SIGSEGV, the stack is exhausted"),
      row("A handler that never returns.", "does not return"),
      row("A handler that aborts.",
          "crashed: SIGABRT, an assertion, abort() or an exception that nobody caught"),
      row("A handler that reads beyond the end of a `vector`, in a plug-in of "
          "`foretell_add_service`.",
          "crashed: SIGABRT, an assertion, abort() or an exception that nobody caught"),
      row("A handler that calls `exit`.", "ended the process (exit)"),
      Elsewhere("tests/guard/guard_test.cc", "A process that loops without a primitive.",
                {"foretell: looping: the handler of deliver Completed(index=0, value=2, mailbox=0) "
                 "from node 2 ",
                 "at node 0 ", "does not return"}),
      Elsewhere("tests/guard/guard_test.cc", "An invariant that follows a null pointer.",
                {"foretell: misbehaving: invariant low crashed: SIGSEGV, a null pointer"}),
  };
}

std::vector<Row> PluginRows() {
  const auto row = [](std::string written, std::vector<std::string> parts) {
    parts.insert(parts.begin(), "plug-in liblock.so: ");
    Row told = Elsewhere("model/plugin_test.cc", std::move(written), std::move(parts));
    told.parts.front() = "plug-in ";  // The path is the test's own.
    return told;
  };
  return {
      row("A plug-in for another version.",
          {"made for plug-in version 10, this foretell has version 9: build it with ",
           "the headers of this foretell"}),
      row("A plug-in of another compiler.",
          {"built with \\\"another compiler\\\", this foretell with \\\"", kVaries,
           "\\\": use the same compiler"}),
      row("A library that is no plug-in.",
          {"no symbol foretell_plugin; a plug-in says FORETELL_PLUGIN(family) once, ",
           "or has the functions of foretell_service.h"}),
      row("A file that is no library.", {"not a shared library"}),
      row("A path to nothing.", {"no such file"}),
      row("A plug-in that throws while it is loaded.", {"threw: no license server"}),
      row("Two services of one name.", {"two services are named counter"}),
  };
}

struct Section {
  std::string title;
  std::vector<Row> rows;
};

std::vector<Section> Sections() {
  return {{"The compiler says", CompileRows()},
          {"A check says, of handlers", RunRows(HandlerCases())},
          {"A check says, of processes that block", RunRows(ProcessCases())},
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
      const std::string text = Contents(kRoot + row.test);
      for (const std::string& part : row.parts) {
        if (part == kVaries) continue;
        EXPECT_NE(text.find(part), std::string::npos) << row.test << ": " << part;
      }
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
