#include "dir/components.h"

#include <gtest/gtest.h>

namespace foretell::dir {
namespace {

using model::NodeId;

TEST(ComponentsTest, ReadsGroupsAndRanges) {
  const auto components = Components::Parse("0,4/1-3", 5);
  ASSERT_TRUE(components.ok()) << components.status();
  EXPECT_EQ(components->count(), 2u);
  EXPECT_EQ(components->of(NodeId(4)), ComponentId(0));
  EXPECT_EQ(components->of(NodeId(2)), ComponentId(1));
  EXPECT_EQ(components->ToString(), "0,4/1,2,3");
}

TEST(ComponentsTest, SaysWhatIsWrong) {
  const auto error = [](const char* text) {
    return std::string(Components::Parse(text, 3).status().message());
  };
  EXPECT_EQ(error("0,1/2,3"), "there is no node 3, the last is 2");
  EXPECT_EQ(error("0,1/1,2"), "node 1 is in two components");
  EXPECT_EQ(error("0/2"), "node 1 is in no component");
  EXPECT_EQ(error("0,1,2/"), "'' is no node and no range of nodes like 3-5");
  EXPECT_EQ(error("2-0/1"), "'2-0' is no node and no range of nodes like 3-5");
  EXPECT_EQ(error("0-1-2"), "'0-1-2' is no node and no range of nodes like 3-5");
  EXPECT_EQ(error("a/0/1/2"), "'a' is no node and no range of nodes like 3-5");
}

TEST(ComponentsTest, EveryNodeOnItsOwnOrAllTogether) {
  EXPECT_EQ(Components::Nodes(3).ToString(), "0/1/2");
  EXPECT_EQ(Components::Whole(3).ToString(), "0,1,2");
}

}  // namespace
}  // namespace foretell::dir
