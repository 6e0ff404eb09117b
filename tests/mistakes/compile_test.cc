// Every mistake of compile.txt, by the compiler of this build, and by Clang if there is one: it
// does not compile, and the compiler says one thing. What was meant does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "foretell/model/check.h"
#include "foretell/snapshot/testing/sample_records.h"
#include "foretell/tests/mistakes/compile_case.h"

namespace foretell::mistakes {
namespace {

using snapshot::Contents;
using snapshot::WriteContents;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = FORETELL_MISTAKES;

// A compiler, in a folder of its own, with the headers precompiled: else each case would take
// seconds.
class Compiler {
 public:
  explicit Compiler(std::string name)
      : name_(std::move(name)),
        folder_(absl::StrCat(testing::TempDir(), "mistakes.", getpid(), ".",
                             std::filesystem::path(name_).filename().string())) {
    std::filesystem::create_directories(folder_);
    WriteContents(folder_ + "/headers.h",
                  "#include <unordered_map>\n#include \"foretell/service.h\"\n");
    // Clang looks for the name that GCC wants as well.
    EXPECT_EQ(
        Run(absl::StrCat("-x c++-header ", folder_, "/headers.h -o ", folder_, "/headers.h.gch")),
        "");
  }
  ~Compiler() { std::filesystem::remove_all(folder_); }

  // What it says; empty if there is nothing to say.
  std::string Compile(const std::string& text) {
    WriteContents(folder_ + "/service.cc", text);
    return Run("-fsyntax-only -include " + folder_ + "/headers.h " + folder_ + "/service.cc");
  }

 private:
  std::string Run(const std::string& arguments) {
    const std::string command =
        absl::StrCat("LC_ALL=C ", name_, " -std=c++20 -I '", FORETELL_INCLUDE, "' ", arguments,
                     " > ", folder_, "/says 2>&1");
    const int status = std::system(command.c_str());
    std::string says = Contents(folder_ + "/says");
    return says.empty() && status != 0 ? "failed without a word: " + command : says;
  }

  const std::string name_;
  const std::string folder_;
};

std::vector<CompileCase> Cases() {
  auto cases =
      ParseCompileCases(Contents(kFolder + "/compile.txt"), Contents(kFolder + "/lock.cc"));
  if (!cases.ok()) std::fprintf(stderr, "compile.txt: %s\n", cases.status().ToString().c_str());
  FORETELL_CHECK(cases.ok());
  return *std::move(cases);
}

std::vector<std::string> Errors(const std::string& says) {
  std::vector<std::string> lines = absl::StrSplit(says, '\n');
  std::erase_if(lines, [](const auto& line) { return !absl::StrContains(line, "error:"); });
  return lines;
}

class CompileTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (std::system(("command -v " + GetParam() + " > /dev/null").c_str()) != 0) {
      GTEST_SKIP() << "there is no " << GetParam();
    }
    static std::map<std::string, Compiler> compilers;
    compiler_ = &compilers.try_emplace(GetParam(), GetParam()).first->second;
  }

  Compiler* compiler_ = nullptr;
};

std::vector<std::string> Compilers() {
  const char* const clang = std::getenv("FORETELL_CLANG");
  return {FORETELL_COMPILER, clang != nullptr ? clang : "clang++"};
}
std::string NameOf(const testing::TestParamInfo<std::string>& info) {
  return info.index == 0 ? "Ours" : "Clang";
}
INSTANTIATE_TEST_SUITE_P(By, CompileTest, testing::ValuesIn(Compilers()), NameOf);

TEST_P(CompileTest, EveryMistakeIsOneSentence) {
  for (const CompileCase& mistake : Cases()) {
    SCOPED_TRACE(mistake.name);
    const std::string says = compiler_->Compile(mistake.wrong);
    const std::vector<std::string> errors = Errors(says);
    EXPECT_THAT(errors, ElementsAre(HasSubstr(mistake.read))) << says;
  }
}

TEST_P(CompileTest, WhatWasMeantCompiles) {
  EXPECT_EQ(compiler_->Compile(Contents(kFolder + "/lock.cc")), "");
  for (const CompileCase& mistake : Cases()) {
    if (mistake.right.empty()) continue;
    EXPECT_EQ(compiler_->Compile(mistake.right), "") << mistake.name;
  }
}

}  // namespace
}  // namespace foretell::mistakes
