#include "foretell/agent/check/check_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "foretell/agent/formats/formats.h"

namespace foretell::agent {
namespace {

using predictors::Engine;
using predictors::EngineOption;
using testing::HasSubstr;
using testing::Not;

std::vector<Engine> TwoEngines() {
  return {{.name = "swift", .text = "Finds little.", .make = {}},
          {.name = "slow",
           .text = "Finds much.",
           .make = {},
           .accepts = {EngineOption::kDepth, EngineOption::kOrder}}};
}

const CheckOption& OptionOf(const std::string& flag) {
  for (const CheckOption& option : CheckOptions()) {
    if (option.flag == flag) return option;
  }
  throw std::logic_error("no option " + flag);
}

TEST(CheckOptionsTest, FlagsAreDistinct) {
  std::set<std::string> flags;
  for (const CheckOption& option : CheckOptions()) {
    EXPECT_TRUE(flags.insert(option.flag).second) << option.flag;
  }
}

// Forgotten, it would make "Find it again" find something else.
TEST(CheckOptionsTest, WhateverIsGivenComesBackInTheCommand) {
  std::set<std::string> left_out;
  for (const CheckOption& option : CheckOptions()) {
    const bool is_switch = option.metavar.empty();
    const CheckWords words{.service = "toy",
                           .options = {{option.flag, is_switch ? "" : "a word"}},
                           .plugins = {"my lib.so"}};
    const std::string given = option.flag + (is_switch ? "" : " 'a word'");
    const std::string line = CommandLine(words);
    if (line == "foretell check toy --plugin 'my lib.so'") {
      left_out.insert(option.flag);
    } else {
      EXPECT_EQ(line, "foretell check toy " + given + " --plugin 'my lib.so'");
    }
  }
  // What is done with the result does not change it; settings come back as part of the scenario.
  std::set<std::string> expected = {
      "--json",  "--require-complete", "--require-coverage", "--source",
      "--param", "--crashes",          "--breaks",           "--duplicates"};
  for (const ResultFormat& format : ResultFormats()) expected.insert(format.flag);
  EXPECT_EQ(left_out, expected);
}

TEST(CheckOptionsTest, OnlyASwitchMayHaveNoValue) {
  const CheckWords words{
      .service = "toy", .options = {{"--bug", ""}, {"--all-invariants", ""}}, .plugins = {}};
  EXPECT_EQ(CommandLine(words), "foretell check toy --all-invariants");
  EXPECT_TRUE(ReadRequest(words)->options.all_invariants);
}

TEST(CheckOptionsTest, WrongValuesAreNamedWithTheirOption) {
  const auto mistake = [](const std::string& flag, const std::string& value) {
    return std::string(ReadRequest({.service = "toy", .options = {{flag, value}}, .plugins = {}})
                           .status()
                           .message());
  };
  EXPECT_THAT(mistake("--order", "dfss"),
              testing::StartsWith("--order: unknown order 'dfss': did you mean 'dfs'?"));
  EXPECT_EQ(mistake("--threads", "1025"), "--threads: 1025, the most is 1024");
  EXPECT_THAT(mistake("--memory", "0GiB"), HasSubstr("--memory: "));
}

TEST(CheckOptionsTest, HelpAndRefusalNameTheEnginesOfTheTable) {
  const std::vector<Engine> engines = TwoEngines();
  EXPECT_EQ(HelpOf(OptionOf("--order"), engines), "bfs (shortest paths) or dfs; engine slow");
  EXPECT_EQ(HelpOf(OptionOf("--engine"), engines),
            "Engine; the default is swift\n  swift: Finds little.\n  slow: Finds much.");
  EXPECT_EQ(HelpOf(OptionOf("--threads"), predictors::AllEngines()),
            "Threads of engines portfolio and dir; default 2");
  EXPECT_THAT(HelpOf(OptionOf("--dependency"), predictors::AllEngines()),
              testing::StartsWith("Engine dir: "));
  EXPECT_EQ(HelpOf(OptionOf("--depth"), predictors::AllEngines()),
            "Follow paths of at most N steps; not engines cover and dir");
  for (const CheckOption& option : CheckOptions()) {
    EXPECT_THAT(HelpOf(option, engines), Not(HasSubstr("$"))) << option.flag;
  }
  const CheckWords words{.service = "toy", .options = {{"--order", "dfs"}}, .plugins = {}};
  EXPECT_EQ(CheckAccepted(words, engines[0], engines).message(),
            "--order means nothing to engine swift, but to slow");
  EXPECT_TRUE(CheckAccepted(words, engines[1], engines).ok());
}

}  // namespace
}  // namespace foretell::agent
