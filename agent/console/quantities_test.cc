#include "foretell/agent/console/quantities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::agent {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

template <class T>
std::string Refusal(const absl::StatusOr<T>& result) {
  return result.ok() ? "accepted" : std::string(result.status().message());
}

TEST(QuantitiesTest, ReadsDurations) {
  EXPECT_EQ(*ParseDuration("500ms"), milliseconds(500));
  EXPECT_EQ(*ParseDuration("10s"), milliseconds(10'000));
  EXPECT_EQ(*ParseDuration("1.5m"), milliseconds(90'000));
  EXPECT_EQ(*ParseDuration("1h"), milliseconds(3'600'000));
}

TEST(QuantitiesTest, RefusesImpossibleDurationsAndSaysWhy) {
  EXPECT_THAT(Refusal(ParseDuration("0s")), HasSubstr("more than zero"));
  EXPECT_THAT(Refusal(ParseDuration("-5s")), HasSubstr("more than zero"));
  EXPECT_THAT(Refusal(ParseDuration("0.1ms")), HasSubstr("the least is 1ms"));
  EXPECT_THAT(Refusal(ParseDuration("9999999h")), HasSubstr("the most is"));
  EXPECT_THAT(Refusal(ParseDuration(std::string(400, '9') + "s")), HasSubstr("the most is"));
  EXPECT_THAT(Refusal(ParseDuration("10")), HasSubstr("needs a unit"));
  EXPECT_THAT(Refusal(ParseDuration("10 s")), HasSubstr("unknown unit ' s'"));
  EXPECT_THAT(Refusal(ParseDuration("10d")), HasSubstr("unknown unit 'd'"));
  for (const char* bad : {"", "s", "inf", "nan", "infs", "+5s", ".5s", "1e3s", "0x10s"}) {
    EXPECT_NE(Refusal(ParseDuration(bad)), "accepted") << bad;
  }
}

TEST(QuantitiesTest, ReadsSizesAndRefusesImpossibleOnes) {
  EXPECT_EQ(*ParseSize("512MiB"), uint64_t{512} << 20);
  EXPECT_EQ(*ParseSize("4GiB"), uint64_t{4} << 30);
  EXPECT_EQ(*ParseSize("2GB"), 2'000'000'000u);
  EXPECT_THAT(Refusal(ParseSize("0GiB")), HasSubstr("more than zero"));
  EXPECT_THAT(Refusal(ParseSize("10KiB")), HasSubstr("the least is 1MiB"));
  EXPECT_THAT(Refusal(ParseSize("99999999999TiB")), HasSubstr("the most is"));
  EXPECT_THAT(Refusal(ParseSize("4gigs")), HasSubstr("unknown unit"));
}

TEST(QuantitiesTest, ReadsCountsFromOne) {
  EXPECT_EQ(*ParseCount("1"), 1u);
  EXPECT_EQ(*ParseCount("18446744073709551615"), UINT64_MAX);
  for (const char* bad : {"", "0", "-1", "1.5", "7x", "18446744073709551616"}) {
    EXPECT_NE(Refusal(ParseCount(bad)), "accepted") << bad;
  }
}

TEST(QuantitiesTest, WritesWhatItReads) {
  for (const char* text : {"1ms", "1500ms", "7s", "90m", "1h", "8760h"}) {
    EXPECT_EQ(DurationText(*ParseDuration(text)), text);
  }
  for (const char* text : {"1MiB", "1025KiB", "3GB", "512MiB", "1GiB", "1024TiB", "1333KB"}) {
    EXPECT_EQ(SizeText(*ParseSize(text)), text);
  }
  EXPECT_EQ(SizeText(1'333'999), "1333KB");
}

TEST(QuantitiesTest, WritesThemForPeople) {
  EXPECT_EQ(FormatCount(7), "7");
  EXPECT_EQ(FormatCount(88'244'942), "88,244,942");
  EXPECT_EQ(ShortCount(999), "999");
  EXPECT_EQ(ShortCount(7'068), "7.07 k");
  EXPECT_EQ(ShortCount(88'244'942), "88.2 M");
  EXPECT_EQ(FormatBytes(412 << 20), "412 MiB");
  EXPECT_EQ(FormatSeconds(0.003), "3 ms");
  EXPECT_EQ(FormatSeconds(0.314), "0.31 s");
  EXPECT_EQ(FormatSeconds(10), "10 s");
  EXPECT_EQ(FormatSeconds(125), "2 min 5 s");
  EXPECT_EQ(FormatSeconds(7200), "2 h");
}

}  // namespace
}  // namespace foretell::agent
