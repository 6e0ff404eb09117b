#include "foretell/agent/drawing/bystanders.h"

#include <gtest/gtest.h>

#include <string>

#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

// Node 2 sends to node 5, where something changes.
SpaceTime PictureOf(uint32_t nodes) {
  SpaceTime picture;
  for (uint32_t n = 0; n < nodes; ++n) picture.lanes.push_back({.node = n});
  picture.lanes[5].at_end.push_back({"phase", "a", "b"});
  picture.moments.push_back({.kind = model::EventKind::kDeliver,
                             .lane = 5,
                             .peer = 2,
                             .peer_node = 2,
                             .label = "Hello()",
                             .sends = {{.to = 7, .label = "Bye()"}}});
  return picture;
}

TEST(BystandersTest, OnlyWhoTakesPartIsDrawn) {
  SpaceTime picture = PictureOf(30);
  picture.lanes[9].at_start.push_back({"phase", "a", "c"});
  picture.moments.push_back({.kind = model::EventKind::kAction, .lane = 9});
  DropBystanders(picture);
  ASSERT_EQ(picture.lanes.size(), 3u);
  EXPECT_EQ(picture.lanes[0].node, 2u);
  EXPECT_EQ(picture.lanes[1].node, 5u);
  EXPECT_EQ(picture.lanes[2].node, 9u);
  EXPECT_EQ(picture.bystanders, 27u);
  EXPECT_EQ(picture.moments[0].lane, 1u);
  EXPECT_EQ(picture.moments[0].peer, 0u);
}

TEST(BystandersTest, NodesKeepTheirNumbers) {
  SpaceTime picture = PictureOf(30);
  DropBystanders(picture);
  EXPECT_EQ(EventText(picture.moments[0]), "Hello() from 2");
  EXPECT_EQ(SendTexts(picture.moments[0]).front(), "Bye to 7, undelivered");
}

// To have done nothing can be what is wrong.
TEST(BystandersTest, WhoBreaksTheInvariantIsDrawn) {
  SpaceTime picture = PictureOf(30);
  picture.lanes[20].breaks = true;
  DropBystanders(picture);
  ASSERT_EQ(picture.lanes.size(), 3u);
  EXPECT_EQ(picture.lanes[2].node, 20u);
}

TEST(BystandersTest, SomebodyIsDrawnInAnyCase) {
  SpaceTime picture;
  picture.lanes.resize(30);
  DropBystanders(picture);
  EXPECT_EQ(picture.lanes.size(), 30u);
}

TEST(BystandersTest, AllDrawingsTellThatNodesAreMissing) {
  SpaceTime picture = PictureOf(30);
  DropBystanders(picture);
  const std::string told = "28 nodes without part in it are not shown";
  EXPECT_NE(DrawText(picture, {}).find(told), std::string::npos);
  EXPECT_NE(DrawMermaid(picture).find(told), std::string::npos);
  EXPECT_NE(DrawSvg(picture).find(told), std::string::npos);
}

TEST(BystandersTest, FewLanesAreAllDrawn) {
  SpaceTime picture = PictureOf(kAllLanesMax);
  DropBystanders(picture);
  EXPECT_EQ(picture.lanes.size(), kAllLanesMax);
  EXPECT_EQ(picture.bystanders, 0u);
}

}  // namespace
}  // namespace foretell::agent
