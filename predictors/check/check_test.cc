#include "foretell/predictors/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/testdata/counter_family.h"
#include "foretell/predictors/check/testing.h"

namespace foretell {
namespace {

using ::testing::HasSubstr;

TEST(CheckTest, FindsAndTellsThePath) {
  const absl::StatusOr<Report> report = Check(model::CounterFamily());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->outcome, model::Outcome::kViolation);
  EXPECT_THAT(report->text, HasSubstr("below-two"));
  EXPECT_THAT(report->text, HasSubstr("2. action Tick"));
}

TEST(CheckTest, NamesThatDoNotExistAreErrors) {
  const auto error = [](const CheckOptions& options) {
    return std::string(Check(model::CounterFamily(), options).status().message());
  };
  EXPECT_EQ(error({.scenario = "begin"}), "unknown scenario 'begin': known: start");
  EXPECT_EQ(error({.bug = "any"}), "unknown bug 'any': there are none");
  EXPECT_THAT(error({.engine = "magic"}), HasSubstr("unknown engine 'magic': known: "));
  EXPECT_EQ(error({.scenario = "start,n=1"}),
            "unknown parameter 'n': known: crashes, breaks, duplicates");
  EXPECT_EQ(error({.scenario = "strat"}),
            "unknown scenario 'strat': did you mean 'start'? known: start");
}

TEST(CheckTest, TestsSayWhatHoldsAndWhatBreaks) {
  EXPECT_BREAKS(model::CounterFamily(), "below-two");
  EXPECT_FALSE(Holds(model::CounterFamily()));
  EXPECT_FALSE(Breaks(model::CounterFamily(), "something-else"));
}

}  // namespace
}  // namespace foretell
