#include "foretell/agent/drawing/text_diagram.h"

#include <gtest/gtest.h>

#include "foretell/agent/testing/named_toy.h"

namespace foretell::agent {
namespace {

// What it looks like is told by tests/scenarios/drawing*.txt.

TEST(TextDiagramTest, FallsBackToAscii) {
  const std::string text = DrawText(ToyPicture("fresh", ToyPath()), {.utf8 = false});
  for (const char c : text) ASSERT_TRUE((c >= ' ' && c < 127) || c == '\n') << text;
}

TEST(TextDiagramTest, KeepsToTheWidthWithManyNodesAndLongLabels) {
  SpaceTime picture = ToyPicture("fresh", ToyPath());
  for (uint32_t n = 3; n < 8; ++n) picture.lanes.push_back({.name = "node " + std::to_string(n)});
  picture.moments[2].label = "Ask(" + std::string(200, 'x') + ")";
  picture.moments[0].label = std::string(50, 'y') + " z";
  const std::string text = DrawText(picture, {.utf8 = false, .columns = 100});
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(TextDiagramTest, RolesStandAboveTheLanes) {
  const std::string text = DrawText(NamedPicture(), {.utf8 = false, .columns = 100});
  EXPECT_NE(text.find("step 0 candidate "), std::string::npos) << text;
  EXPECT_NE(text.find(" node 1 "), std::string::npos) << text;
  EXPECT_NE(text.find("chooses assent"), std::string::npos) << text;
  EXPECT_NE(text.find("  node 0 (candidate): asked=1"), std::string::npos) << text;
}

TEST(TextDiagramTest, LongRolesAreCut) {
  SpaceTime picture = NamedPicture();
  for (Lane& lane : picture.lanes) lane.role = std::string(60, 'r');
  for (const size_t columns : {80u, 100u}) {
    const std::string text = DrawText(picture, {.utf8 = false, .columns = columns});
    const std::string header = text.substr(0, text.find('\n'));
    EXPECT_LE(header.size(), columns) << header;
    for (const char* node : {" 0 r", " 1 r", " 2 r"}) {
      EXPECT_NE(header.find(node), std::string::npos) << header;
    }
  }
}

TEST(TextDiagramTest, ColoursOnlyWhenAskedTo) {
  const SpaceTime picture = ToyPicture("fresh", ToyPath());
  EXPECT_EQ(DrawText(picture, {.utf8 = true}).find('\x1b'), std::string::npos);
  EXPECT_NE(DrawText(picture, {.utf8 = true, .colour = true}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace foretell::agent
