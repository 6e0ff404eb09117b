#include "foretell/snapshot/node/filter.h"

#include <gtest/gtest.h>

namespace foretell::snapshot {
namespace {

TEST(FilterTest, ModesHaveNames) {
  for (const Mode mode : {Mode::kOff, Mode::kObserve, Mode::kShadow, Mode::kEnforce}) {
    EXPECT_EQ(ParseMode(ModeName(mode)).value(), mode);
  }
  for (const std::string text : {"", "Enforce", "enforce ", "unknown"}) {
    const absl::Status status = ParseMode(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_NE(status.message().find("\"" + text + "\""), status.message().npos) << status;
  }
}

TEST(FilterTest, KindsHaveNames) {
  EXPECT_STREQ(FilterKindName(FilterKind::kDrop), "drop");
  EXPECT_STREQ(FilterKindName(FilterKind::kReset), "reset");
  EXPECT_STREQ(FilterKindName(FilterKind::kPostpone), "postpone");
  EXPECT_STREQ(FilterKindName(FilterKind::kRefuse), "refuse");
}

TEST(FilterTest, EachTargetHasItsKind) {
  EXPECT_EQ(KindFor(FilterTarget::kDatagram), FilterKind::kDrop);
  EXPECT_EQ(KindFor(FilterTarget::kStreamMessage), FilterKind::kReset);
  EXPECT_EQ(KindFor(FilterTarget::kTimer), FilterKind::kPostpone);
  EXPECT_EQ(KindFor(FilterTarget::kCall), FilterKind::kRefuse);
  EXPECT_EQ(KindFor(FilterTarget::kNothing), std::nullopt);
}

}  // namespace
}  // namespace foretell::snapshot
