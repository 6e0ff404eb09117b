#include "foretell/agent/console/time_argument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

std::string There(const std::string& text) {
  const auto time = ParseWallTime(text);
  return time.ok() ? FormatTime(*time) : "";
}

TEST(TimeArgumentTest, ReadsWhatPeopleWrite) {
  EXPECT_EQ(There("2026-11-16"), "2026-11-16T00:00:00.000Z");
  EXPECT_EQ(There("2026-11-16T05:26"), "2026-11-16T05:26:00.000Z");
  EXPECT_EQ(There("2026-11-16 05:26:17"), "2026-11-16T05:26:17.000Z");
  EXPECT_EQ(There("2026-11-16T05:26:17.25Z"), "2026-11-16T05:26:17.250Z");
  EXPECT_EQ(There("@1700000000"), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(There(There("2026-11-16T05:26:17.123Z")), "2026-11-16T05:26:17.123Z");
}

TEST(TimeArgumentTest, RefusesTheRest) {
  for (const char* text :
       {"", "@", "@x", "@-1", "@99999999999", "2026", "2026-11-16T", "16.11.2026",
        "2026-11-16T05:26:17+01:00", "2026-11-16T25:00", "1900-01-01", "9999-01-01", "now"}) {
    const auto time = ParseWallTime(text);
    EXPECT_FALSE(time.ok()) << text;
    EXPECT_THAT(std::string(time.status().message()), testing::HasSubstr("no moment '"));
  }
}

}  // namespace
}  // namespace foretell::agent
