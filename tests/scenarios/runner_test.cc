#include "foretell/tests/scenarios/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "foretell/tests/scenarios/masks.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {
namespace {

using testing::HasSubstr;

constexpr const char* kTold =
    "# A comment.\n"
    "write a.txt\n"
    "one\n"
    "two\n"
    "----\n"
    "\n"
    "size a.txt\n"
    "----\n"
    "2 lines, 8 bytes\n";

std::string MistakeIn(const std::string& text) {
  const auto story = ParseStory("a.txt", text);
  if (!story.ok()) return std::string(story.status().message());
  const auto played = Play("a.txt", *story);
  return std::string(played.status().message());
}

// What rewriting makes of it.
std::string Rewritten(const std::string& text) {
  return StoryText(*Play("a.txt", *ParseStory("a.txt", text)));
}

TEST(StoryFormatTest, IsReadAndWrittenByteForByte) {
  for (const std::string& text :
       {std::string(), std::string("# Nothing happens.\n"), std::string(kTold),
        std::string("size a\n----\n----\na\n\nb\n----\n----\n\n# The end.\n")}) {
    EXPECT_EQ(StoryText(*ParseStory("a.txt", text)), text);
  }
}

TEST(StoryFormatTest, BlocksKnowTheirLines) {
  const Story story = *ParseStory("a.txt", kTold);
  ASSERT_EQ(story.blocks.size(), 2u);
  EXPECT_EQ(story.blocks[0].above, "# A comment.\n");
  EXPECT_EQ(story.blocks[0].line, 2u);
  EXPECT_EQ(story.blocks[0].input, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(story.blocks[1].line, 7u);
  EXPECT_EQ(story.blocks[1].reaction, "2 lines, 8 bytes\n");
}

TEST(StoryFormatTest, ReactionsWithBlankLinesStandBetweenPairs) {
  Story story = *ParseStory("a.txt", "size a\n----\nx\n\nsize b\n----\n");
  story.blocks[0].reaction = "x\n\ny\n";
  const std::string text = StoryText(story);
  EXPECT_EQ(text, "size a\n----\n----\nx\n\ny\n----\n----\n\nsize b\n----\n");
  EXPECT_EQ(ParseStory("a.txt", text)->blocks[0].reaction, "x\n\ny\n");
  EXPECT_TRUE(CanBeTold(text.substr(0, 7)));
  EXPECT_FALSE(CanBeTold(text));
}

TEST(StoryFormatTest, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(MistakeIn("size a\n----\nx"), "a.txt:3: the last line does not end with a newline");
  EXPECT_EQ(MistakeIn("\nsize a\n\n"), "a.txt:2: no ---- behind this command");
  EXPECT_EQ(MistakeIn("size a\n----\n----\nx\n"), "a.txt:2: this pair of ---- has no second one");
  EXPECT_EQ(MistakeIn("\nsize 'a\n----\n"), "a.txt:2: a quote that is not closed");
  EXPECT_EQ(MistakeIn(" \n----\n"), "a.txt:1: a command of blanks");
}

TEST(StoryFormatTest, QuotesKeepSpaces) {
  EXPECT_EQ(*WordsOf("a  'b c' d'e f' ''"), (std::vector<std::string>{"a", "b c", "de f", ""}));
}

TEST(RunnerTest, AnUnknownVerbIsNamedWithTheNearest) {
  EXPECT_THAT(MistakeIn("write a\n----\n\nchek toy\n----\n"),
              testing::StartsWith("a.txt:4: unknown verb 'chek': did you mean 'check'?"));
}

TEST(RunnerTest, CommandsThatMakeNoSenseAreNamed) {
  EXPECT_THAT(MistakeIn("nodes 3\n----\n"), HasSubstr("a.txt:1: usage: nodes datagrams|streams"));
  EXPECT_THAT(MistakeIn("cut 3\n----\n"), HasSubstr("a.txt:1: there are no nodes yet"));
  EXPECT_THAT(MistakeIn("nodes streams 2\n----\n\nrun\nsent 0 1 a\n----\n"),
              HasSubstr("a.txt:4: sent 0 1 a: nothing that can happen"));
  EXPECT_THAT(MistakeIn("path tyo\n----\n"), HasSubstr("a.txt:1: unknown service 'tyo'"));
}

TEST(RunnerTest, AMismatchIsNamedWithItsLineAndTheDifference) {
  const Story expected = *ParseStory("a.txt", kTold);
  const Story actual = *Play("a.txt", expected);
  EXPECT_EQ(Mismatches("a.txt", expected, actual), "");
  Story wrong = expected;
  wrong.blocks[1].reaction = "2 lines, 9 bytes\n";
  EXPECT_EQ(Mismatches("a.txt", wrong, actual),
            "a.txt:7: size a.txt\n-2 lines, 9 bytes\n+2 lines, 8 bytes\n");
}

TEST(RunnerTest, RewritingMakesItRightAndThenChangesNothing) {
  EXPECT_EQ(Rewritten(kTold), kTold);
  std::string wrong = kTold;
  wrong.replace(wrong.find("8 bytes"), 7, "a few bytes\nand more");
  EXPECT_EQ(Rewritten(wrong), kTold);
  const std::string once =
      Rewritten("check toy --bug says-yes --engine por\n----\n\nsize a\n----\n");
  EXPECT_THAT(once, HasSubstr("VIOLATION"));
  EXPECT_EQ(Rewritten(once), once);
}

TEST(RunnerTest, StoriesShareNoFiles) {
  const auto before = std::filesystem::current_path();
  EXPECT_THAT(Rewritten("write a.txt\nx\n----\n\nsize a.txt\n----\n"), HasSubstr("1 lines"));
  EXPECT_THAT(Rewritten("size a.txt\n----\n"), HasSubstr("there is no such file"));
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST(RunnerTest, EveryVerbIsFoundByItsName) {
  for (const Verb& verb : AllVerbs()) EXPECT_EQ(FindVerb(verb.name), &verb);
}

TEST(DifferenceTest, ShowsWhatIsAroundIt) {
  EXPECT_EQ(Difference("a\nb\nc\n", "a\nb\nc\n"), "");
  EXPECT_EQ(Difference("1\n2\n3\nx\n4\n5\n6\n", "1\n2\n3\ny\nz\n4\n5\n6\n"),
            " 2\n 3\n-x\n+y\n+z\n 4\n 5\n");
  EXPECT_EQ(Difference("a\na\n", "a\n"), " a\n-a\n");
  EXPECT_EQ(Difference("", "a\n"), "+a\n");
}

TEST(MasksTest, HideWhatDependsOnTheMachine) {
  EXPECT_EQ(Masked("3 states, 0.00 s, 12.3 MiB peak memory"), "3 states, 0.00 s, # peak memory");
  EXPECT_EQ(Masked("  \"bytes\": 123,\n  \"foretell\": \"0.1.0\""),
            "  \"bytes\": #,\n  \"foretell\": \"#\"");
  EXPECT_EQ(Masked("23.000Z         3    3/3          0         457  exact"),
            "23.000Z         3    3/3          0           #  exact");
}

}  // namespace
}  // namespace foretell::scenarios
