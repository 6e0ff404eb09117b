#include "foretell/agent/console/table.h"

#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using Lines = std::vector<std::string>;
constexpr auto kLeft = Table::Align::kLeft;
constexpr auto kRight = Table::Align::kRight;

TEST(TableTest, NamesToTheLeftFiguresToTheRight) {
  Table table;
  table.Add({"", "states", "time"});
  table.Add({"one-proposal", "7,068", "12.5 ms"});
  table.Add({"rest", "1"});
  EXPECT_EQ(table.Text(1),
            "              states     time\n"
            "-----------------------------\n"
            "one-proposal   7,068  12.5 ms\n"
            "rest               1\n");
}

TEST(TableTest, ColumnsAreAtLeastAsWideAsTheySay) {
  Table table({.columns = {{kLeft, 6}, {kRight, 4}, {kLeft}}, .indent = 2, .gap = 1});
  table.Add({"a", "1", "x"});
  EXPECT_EQ(table.Lines(), Lines({"  a         1 x"}));
  table.Add({"abcdefgh", "12345", ""});
  EXPECT_EQ(table.Lines(), Lines({"  a            1 x", "  abcdefgh 12345"}));
}

// A letter is a column, however many bytes it has.
TEST(TableTest, CountsLettersNotBytes) {
  Table table;
  table.Add({"→", "1"});
  table.Add({"ab", "µ"});
  EXPECT_EQ(table.Lines(), Lines({"→   1", "ab  µ"}));
}

TEST(TableTest, TheLastColumnWraps) {
  Table table({.columns = {{kLeft, 4, Colour::kMark}, {kLeft}}, .indent = 2, .wraps = true});
  table.Add({"name", "forty letters and a few more, which take another line"});
  EXPECT_EQ(table.Lines({.columns = 60}),
            Lines({"  name  forty letters and a few more, which take another", "          line"}));
  // In little room there are forty columns for it all the same.
  EXPECT_EQ(table.Lines({.columns = 20}),
            Lines({"  name  forty letters and a few more, which take", "          another line"}));
}

TEST(TableTest, InkIsForThoseWhoSeeIt) {
  Table table({.columns = {{kLeft, 4, Colour::kMark}, {kLeft}}});
  table.Add({"ab", "c"});
  EXPECT_EQ(table.Lines({.colour = true}), Lines({"\x1b[1;36mab\x1b[0m    c"}));
  EXPECT_EQ(table.Lines(), Lines({"ab    c"}));
}

TEST(TableTest, NoRowsAreNoLines) {
  EXPECT_EQ(Table().Lines(), Lines());
  EXPECT_EQ(Table().Text(1), "");
}

}  // namespace
}  // namespace foretell::agent
