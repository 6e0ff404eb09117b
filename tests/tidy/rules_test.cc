// The rules, first on trees made up to break them, then on our own.

#include "foretell/tests/tidy/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace foretell::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Repeat(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

// `text` at `path`, in a tree where nothing else is wrong.
Complaints CheckFile(const std::string& path, const std::string& text) {
  return Check({{path, text},
                {path.substr(0, path.find('/')) + "/README.md",
                 "- Door: `" + path.substr(path.find('/') + 1) + "`\n"}});
}

TEST(TidyTest, LimitsFiles) {
  EXPECT_THAT(CheckFile("lmc/a.cc", Repeat("int x;\n", 700)), IsEmpty());
  EXPECT_THAT(CheckFile("lmc/a.cc", Repeat("int x;\n", 701)),
              ElementsAre("lmc/a.cc: 701 lines, limit 700"));
}

TEST(TidyTest, LimitsFunctions) {
  EXPECT_THAT(CheckFile("lmc/a.cc", "\nvoid F() {\n" + Repeat("  g();\n", 68) + "}\n"), IsEmpty());
  EXPECT_THAT(CheckFile("lmc/a.cc", "\nvoid F() {\n" + Repeat("  g();\n", 69) + "}\n"),
              ElementsAre("lmc/a.cc:2: a function of 71 lines, limit 70"));
}

TEST(TidyTest, LimitsColumnsOfCodeOnly) {
  const std::string wide = "// " + Repeat("x", 98) + "\n";
  EXPECT_THAT(CheckFile("lmc/a.cc", wide), ElementsAre("lmc/a.cc:1: 101 columns, limit 100"));
  EXPECT_THAT(CheckFile("lmc/CMakeLists.txt", wide),
              ElementsAre("lmc/CMakeLists.txt:1: 101 columns, limit 100"));
  EXPECT_THAT(CheckFile("docs/a.md", wide), IsEmpty());
  EXPECT_THAT(CheckFile("lmc/a.cc", "// " + Repeat("\u2190", 97) + "\n"), IsEmpty());
}

TEST(TidyTest, KeepsWhatIsForTestsInTests) {
  const std::string text = "#include \"foretell/integration/testing/x.h\"\n";
  EXPECT_THAT(
      CheckFile("integration/a.cc", text),
      ElementsAre("integration/a.cc:1: foretell/integration/testing/x.h is for tests only"));
  EXPECT_THAT(CheckFile("integration/a_test.cc", text), IsEmpty());
}

TEST(TidyTest, WantsTheOwnHeaderFirstAndBehindOurName) {
  const Tree tree = {{"lmc/README.md", "- Door: `a.h`\n"},
                     {"lmc/a.h", "#pragma once\n"},
                     {"lmc/a.cc", "#include <vector>\n#include \"foretell/lmc/a.h\"\n"},
                     {"lmc/a_test.cc", "#include \"foretell/lmc/a.h\"\n#include \"lmc/a.h\"\n"}};
  EXPECT_THAT(Check(tree), ElementsAre("lmc/a.cc:1: must include its own header first: lmc/a.h",
                                       "lmc/a_test.cc:2: lmc/a.h is included as foretell/..."));
}

TEST(TidyTest, ReadsHeadersClosely) {
  EXPECT_THAT(CheckFile("lmc/a.h", "int x;\n"), ElementsAre("lmc/a.h:1: no #pragma once"));
  EXPECT_THAT(CheckFile("lmc/a.h", "#pragma once\nusing namespace std;\n"),
              ElementsAre("lmc/a.h:2: using namespace in a header"));
  EXPECT_THAT(CheckFile("lmc/a.h", "#pragma once\n#include <nlohmann/json.hpp>\n"),
              ElementsAre("lmc/a.h:2: nlohmann/json.hpp in a header: keep it in a .cc"));
}

TEST(TidyTest, WantsLocksThatAreChecked) {
  EXPECT_THAT(CheckFile("lmc/a.cc", "std::mutex m;\nmodel::Mutex n;\n"),
              ElementsAre("lmc/a.cc:1: std::mutex: locks are those of model/sync/mutex.h"));
  EXPECT_THAT(CheckFile("lmc/a.cc", "const std::scoped_lock lock(m);\n"),
              ElementsAre("lmc/a.cc:1: std::scoped_lock: locks are those of model/sync/mutex.h"));
  EXPECT_THAT(CheckFile("lmc/a_test.cc", "std::mutex m;\n"), IsEmpty());
}

TEST(TidyTest, WantsNoBracesInWhatIsAwaited) {
  // In two, so that this file has none.
  const std::string kAwait = std::string("co_") + "await ";
  const auto check = [](const std::string& line) {
    return CheckFile("lmc/a.cc", "Task<> F() {\n  " + line + "\n}\n");
  };
  EXPECT_THAT(check("if (co_await Test(handle)) {}"), IsEmpty());
  const std::string complaint =
      "lmc/a.cc:2: what is awaited has braces or a choice: name it in a line before";
  EXPECT_THAT(check(kAwait + "Send(box, {1, 2});"), ElementsAre(complaint));
  EXPECT_THAT(check(kAwait + "Send(box, a ? b : c);"), ElementsAre(complaint));
  EXPECT_THAT(check(kAwait + "Send(box,\n           [] { return 1; }());"), ElementsAre(complaint));
}

TEST(TidyTest, FindsLeftovers) {
  const std::string fix = std::string("// FIX") + "ME\n";
  const std::string to_do = std::string("// TO") + "DO";
  EXPECT_THAT(CheckFile("lmc/a.cc", fix),
              ElementsAre("lmc/a.cc:1: a fix-me mark never reaches main"));
  EXPECT_THAT(CheckFile("lmc/a.cc", to_do + ": later\n"),
              ElementsAre("lmc/a.cc:1: a to-do mark says (perf|test|cleanup) and a colon"));
  EXPECT_THAT(CheckFile("lmc/a.cc", to_do + "(perf): later\n"), IsEmpty());
  EXPECT_THAT(CheckFile("lmc/a.cc.orig", ""), ElementsAre("lmc/a.cc.orig: a leftover"));
  EXPECT_THAT(CheckFile("lmc/placeholder.cc", ""), ElementsAre("lmc/placeholder.cc: a leftover"));
}

TEST(TidyTest, WantsEachDecisionToHaveANumberOfItsOwn) {
  EXPECT_THAT(Check({{"docs/decisions/0001-a.md", ""}, {"docs/decisions/0003-b.md", ""}}),
              IsEmpty());
  EXPECT_THAT(Check({{"docs/decisions/0003-a.md", ""}, {"docs/decisions/0003-b.md", ""}}),
              ElementsAre("docs/decisions/0003-b.md: number 3 is taken"));
  EXPECT_THAT(Check({{"docs/decisions/first.md", ""}}),
              ElementsAre("docs/decisions/first.md: decisions are named NNNN-title.md"));
}

TEST(TidyTest, WantsQuotesToBeTrue) {
  const auto check = [](const std::string& quoted) {
    return Check({{"README.md", "<!-- quote: a/b.txt -->\n```cpp\n" + quoted + "```\n"},
                  {"a/b.txt", "one\ntwo\nthree\n"}});
  };
  EXPECT_THAT(check("two\nthree\n"), IsEmpty());
  EXPECT_THAT(check("two\nfour\n"), ElementsAre("README.md: the quote is not what a/b.txt says"));
}

// Our own files. Builds and what git or a tool keeps for itself are not ours.
Tree ReadTree(const std::filesystem::path& root) {
  static const std::set<std::string> kSkipped = {"build", "demo-out"};
  Tree tree;
  std::filesystem::recursive_directory_iterator it(root);
  for (; it != std::filesystem::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (kSkipped.count(name) != 0 || (name[0] == '.' && name != ".ci"))) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file()) {
      std::ifstream file(it->path(), std::ios::binary);
      tree[it->path().lexically_relative(root).generic_string()] =
          std::string(std::istreambuf_iterator<char>(file), {});
    }
  }
  return tree;
}

TEST(TidyTest, OurTreeKeepsTheHouseRules) {
  const Tree tree = ReadTree(FORETELL_SOURCE_DIR);
  // An empty tree would keep them too.
  ASSERT_EQ(tree.count("model/service.h"), 1u);
  ASSERT_EQ(tree.count("tests/tidy/rules_test.cc"), 1u);
  for (const std::string& complaint : Check(tree)) ADD_FAILURE() << complaint;
}

}  // namespace
}  // namespace foretell::tidy
