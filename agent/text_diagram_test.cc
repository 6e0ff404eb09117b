#include "agent/text_diagram.h"

#include <gtest/gtest.h>

#include <fstream>

#include "agent/mermaid.h"
#include "agent/svg.h"
#include "agent/toy_protocol.h"

namespace foretell::agent {
namespace {

using model::EventKind;
using model::NodeId;

std::string Ask() { return model::Encode(ToyProtocol::Message(ToyProtocol::Ask{1})); }
std::string Yes() { return model::Encode(ToyProtocol::Message(ToyProtocol::Vote{true})); }

SpaceTime Picture(const std::string& scenario, model::Path path) {
  const model::System system = *ToyFamily().Make(scenario, "says-yes");
  const auto picture = BuildSpaceTime(
      *system.service, system.start,
      {"never-elected", "Nobody hears yes from both others. Broken by node 0.", std::move(path)},
      "toy");
  EXPECT_TRUE(picture.ok()) << picture.status();
  return *picture;
}

model::Path FreshPath() {
  return {{NodeId(0), {EventKind::kAction, NodeId(0), ""}, {}},
          {NodeId(2), {EventKind::kCrash}, {}},
          {NodeId(1), {EventKind::kDeliver, NodeId(0), Ask()}, {1}},
          {NodeId(0), {EventKind::kDeliver, NodeId(0), Ask()}, {0}},
          {NodeId(2), {EventKind::kRestart}, {}},
          {NodeId(2), {EventKind::kDeliver, NodeId(0), Ask()}, {1}},
          {NodeId(0), {EventKind::kDeliver, NodeId(1), Yes()}, {}},
          {NodeId(0), {EventKind::kDeliver, NodeId(2), Yes()}, {}}};
}

TEST(TextDiagramTest, X) {
  std::cout << DrawText(Picture("fresh", FreshPath()), {.utf8 = true});
  std::cout << DrawText(Picture("fresh", FreshPath()), {.utf8 = false});
  std::cout << DrawText(
      Picture("asked", {{NodeId(1), {EventKind::kDeliver, NodeId(0), Ask()}, {1}}}),
      {.utf8 = true});
  std::ofstream("/tmp/toy.svg") << DrawSvg(Picture("fresh", FreshPath()));
}

}  // namespace
}  // namespace foretell::agent
