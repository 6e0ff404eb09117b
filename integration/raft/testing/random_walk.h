#pragma once

// Clusters that do everything they can, in an order that a seed decides.

#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "foretell/integration/raft/protocol.h"
#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::integration::raft::testing {

struct WalkOptions {
  Settings settings;
  NodeOptions node;  // Each of three.
  model::NetworkKind network = model::NetworkKind::kDatagrams;
};

inline WalkOptions Everything(uint8_t failures, bool pre_vote = false) {
  return {.settings = {.pre_vote = pre_vote},
          .node = {.budget = {.timeouts = 3,
                              .heartbeats = 3,
                              .contact_checks = 1,
                              .puts = 4,
                              .failures = failures},
                   .crashes_max = 1}};
}

inline model::System MakeCluster(const WalkOptions& options) {
  auto library = Library::Load(options.settings);
  FORETELL_CHECK(library.ok());
  Protocol protocol;
  protocol.raft_library = *std::move(library);
  protocol.network_kind = options.network;
  protocol.nodes.assign(options.settings.node_count, options.node);
  model::System system;
  system.service = model::MakeService(std::move(protocol));
  system.start = model::InitialCut(*system.service);
  return system;
}

// Calls `visit` with the state before each step, and the step. Ends when nothing can happen, a node
// has failed, or `steps_max` is reached.
inline void Walk(
    const model::System& system, uint32_t seed, int steps_max,
    const std::function<void(const model::SystemCut&, const model::PathStep&)>& visit) {
  std::mt19937 random(seed);
  model::PlainSystem at(*system.service, system.start);
  for (int i = 0; i < steps_max; ++i) {
    const std::vector<model::PathStep> enabled = at.Enabled();
    if (enabled.empty()) return;
    const model::PathStep step = enabled[random() % enabled.size()];
    visit(at.state(), step);
    FORETELL_CHECK(at.Apply(step).ok());
    for (const model::NodeState& node : at.state().nodes) {
      if (node.status == model::NodeStatus::kFailed) return;
    }
  }
}

}  // namespace foretell::integration::raft::testing
