#include "foretell/model/nearest_name.h"

#include <gtest/gtest.h>

namespace foretell::model {
namespace {

TEST(NearestNameTest, FindsMistypedAndUnfinishedNames) {
  const std::vector<std::string> names = {"last-response", "forgets-promise", "first-value"};
  EXPECT_EQ(NearestName("last-respons", names), "last-response");
  EXPECT_EQ(NearestName("lsat-response", names), "last-response");
  EXPECT_EQ(NearestName("First-Value", names), "first-value");
  EXPECT_EQ(NearestName("for", names), "forgets-promise");
  EXPECT_EQ(NearestName("xyzzy", names), "");
  EXPECT_EQ(NearestName("", names), "");
}

TEST(NearestNameTest, SaysAllInOneLine) {
  EXPECT_EQ(std::string(UnknownName("bug", "last-respons", {"last-response", "x"}).message()),
            "unknown bug 'last-respons': did you mean 'last-response'? known: last-response, x");
  EXPECT_EQ(std::string(UnknownName("bug", "zz", {}).message()),
            "unknown bug 'zz': there are none");
}

}  // namespace
}  // namespace foretell::model
