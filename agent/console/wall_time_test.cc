#include "foretell/agent/console/wall_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

std::string There(const std::string& text) {
  const auto time = ParseWallTime(text);
  return time.ok() ? FormatTime(*time) : "";
}

TEST(WallTimeTest, ReadsWhatPeopleWrite) {
  EXPECT_EQ(There("2026-11-16"), "2026-11-16T00:00:00.000Z");
  EXPECT_EQ(There("2026-11-16T05:26"), "2026-11-16T05:26:00.000Z");
  EXPECT_EQ(There("2026-11-16 05:26:17"), "2026-11-16T05:26:17.000Z");
  EXPECT_EQ(There("2026-11-16T05:26:17.25Z"), "2026-11-16T05:26:17.250Z");
  EXPECT_EQ(There("@1700000000"), "2023-11-14T22:13:20.000Z");
  EXPECT_EQ(There(There("2026-11-16T05:26:17.123Z")), "2026-11-16T05:26:17.123Z");
}

TEST(WallTimeTest, IsUtc) {
  const snapshot::UnixTime time(std::chrono::nanoseconds(1'763'270'777'987'654'321));
  EXPECT_EQ(FormatTime(time), "2025-11-16T05:26:17.987Z");
  EXPECT_EQ(FormatTimeToTheSecond(time), "2025-11-16 05:26:17 UTC");
  EXPECT_EQ(FormatTime({}), "1970-01-01T00:00:00.000Z");
}

TEST(WallTimeTest, IsTakenToTheNanosecond) {
  EXPECT_EQ(ParseWallTime("2026-11-16T05:26:17.123456789Z").value() -
                ParseWallTime("2026-11-16T05:26:17").value(),
            std::chrono::nanoseconds(123'456'789));
}

TEST(WallTimeTest, RefusesTheRest) {
  for (const char* text :
       {"", "@", "@x", "@-1", "@99999999999", "2026", "2026-11-16T", "16.11.2026",
        "2026-11-16T05:26:17+01:00", "2026-11-16T25:00", "1900-01-01", "9999-01-01", "2200-01-02",
        "2026-02-30", " 2026-11-16", "2026-11-16 ", "@1700000000Z", "infinite-future", "now"}) {
    const auto time = ParseWallTime(text);
    EXPECT_FALSE(time.ok()) << text;
    EXPECT_THAT(std::string(time.status().message()), testing::HasSubstr("no moment '"));
  }
}

}  // namespace
}  // namespace foretell::agent
