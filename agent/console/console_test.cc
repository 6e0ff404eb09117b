#include "foretell/agent/console/console.h"

#include <gtest/gtest.h>

#include <sstream>

namespace foretell::agent {
namespace {

TEST(StreamsTest, DumbTerminalsGetNoEscapes) {
  EXPECT_TRUE(TakesEscapes(true, "xterm"));
  EXPECT_TRUE(TakesEscapes(true, nullptr));
  EXPECT_FALSE(TakesEscapes(true, "dumb"));
  EXPECT_FALSE(TakesEscapes(false, "xterm"));
}

TEST(StreamsTest, OnlyLinesOfOurOwnAreSeveral) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  EXPECT_EQ(Fail(console, absl::NotFoundError("a\nb")), kExitUsage);
  EXPECT_EQ(err.str(), "foretell: a\\x0ab\n");
  err.str("");
  EXPECT_EQ(FailLines(console, absl::NotFoundError("a\nb\x1b")), kExitUsage);
  EXPECT_EQ(err.str(), "foretell: a\nforetell: b\\x1b\n");
}

}  // namespace
}  // namespace foretell::agent
