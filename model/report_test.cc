#include "foretell/model/report.h"

#include <gtest/gtest.h>

#include "foretell/model/event.h"

namespace foretell::model {
namespace {

// Scripts read these words.
TEST(ReportTest, OutcomesHaveTheNamesOfTheContract) {
  EXPECT_STREQ(OutcomeName(Outcome::kNone), "none");
  EXPECT_STREQ(OutcomeName(Outcome::kViolation), "violation");
  EXPECT_STREQ(OutcomeName(Outcome::kBudget), "budget");
  EXPECT_STREQ(OutcomeName(Outcome::kNondeterminism), "nondeterminism");
}

TEST(ReportTest, EventKindsHaveTheNamesOfTheContract) {
  EXPECT_STREQ(KindName(EventKind::kDeliver), "deliver");
  EXPECT_STREQ(KindName(EventKind::kAction), "action");
  EXPECT_STREQ(KindName(EventKind::kCrash), "crash");
  EXPECT_STREQ(KindName(EventKind::kRestart), "restart");
  EXPECT_STREQ(KindName(EventKind::kBreak), "break");
}

TEST(ReportTest, ClaimsNothingByItself) {
  const Report report;
  EXPECT_FALSE(report.complete);
  EXPECT_FALSE(report.stats.transitions.has_value());
}

}  // namespace
}  // namespace foretell::model
