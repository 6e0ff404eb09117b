#include "foretell/dir/trace/components.h"

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
  EXPECT_EQ(error("(0/1/2"), "a '(' without ')'");
  EXPECT_EQ(error("0/1/2)"), "')' where a '/' or the end should be");
  EXPECT_EQ(error("(0/1)2"), "'2' where a '/' or the end should be");
  EXPECT_EQ(error("(0/1)/1,2"), "node 1 is in two components");
  EXPECT_EQ(error("(0/0)/1,2"), "node 0 is in two components");
  EXPECT_EQ(error(std::string(1'000'000, '(').c_str()),
            "components within components, more than 32 deep");
  EXPECT_EQ(error("()/0-2"), "'' is no node and no range of nodes like 3-5");
}

TEST(ComponentsTest, ReadsComponentsOfComponents) {
  const auto components = Components::Parse("(0/(1/2))/3,4", 5);
  ASSERT_TRUE(components.ok()) << components.status();
  EXPECT_EQ(components->ToString(), "(0/(1/2))/3,4");
  EXPECT_EQ(components->count(), 2u);
  EXPECT_EQ(components->nodes(ComponentId(0)).size(), 3u);
  EXPECT_EQ(components->division(ComponentId(1)), nullptr);
  const Components* const parts = components->division(ComponentId(0));
  ASSERT_NE(parts, nullptr);
  EXPECT_EQ(parts->count(), 2u);
  EXPECT_EQ(parts->of(NodeId(2)), ComponentId(1));
  EXPECT_EQ(parts->of(NodeId(3)), ComponentId(2)) << "none of them";
  EXPECT_NE(parts->division(ComponentId(1)), nullptr);
}

TEST(ComponentsTest, EveryNodeOnItsOwnOrAllTogether) {
  EXPECT_EQ(Components::Nodes(3).ToString(), "0/1/2");
  EXPECT_EQ(Components::Whole(3).ToString(), "0,1,2");
}

}  // namespace
}  // namespace foretell::dir
