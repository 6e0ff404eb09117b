#pragma once

// A path of the toy protocol that has one of everything, and its picture.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "foretell/agent/drawing/space_time.h"
#include "foretell/agent/testing/toy_protocol.h"

namespace foretell::agent {

inline model::Path ToyPath() {
  using model::EventKind;
  using model::NodeId;
  const std::string ask = model::Encode(ToyProtocol::Message(ToyProtocol::Ask{1}));
  const std::string yes = model::Encode(ToyProtocol::Message(ToyProtocol::Vote{true}));
  return {{NodeId(0), {EventKind::kAction, NodeId(0), ""}, {}},
          {NodeId(2), {EventKind::kCrash}, {}},
          {NodeId(1), {EventKind::kDeliver, NodeId(0), ask}, {1}},
          {NodeId(0), {EventKind::kDeliver, NodeId(0), ask}, {0}},
          {NodeId(2), {EventKind::kRestart}, {}},
          {NodeId(2), {EventKind::kDeliver, NodeId(0), ask}, {1}},
          {NodeId(0), {EventKind::kDeliver, NodeId(1), yes}, {}},
          {NodeId(0), {EventKind::kDeliver, NodeId(2), yes}, {}}};
}

inline SpaceTime ToyPicture(const std::string& scenario, model::Path path) {
  const model::System system = *ToyFamily().Make(scenario, "says-yes");
  const auto picture = BuildSpaceTime(
      *system.service, system.start,
      {"never-elected", "Node 0 hears yes from both others.", std::move(path)}, "toy <1> & \"2\"");
  EXPECT_TRUE(picture.ok()) << picture.status();
  return *picture;
}

}  // namespace foretell::agent
