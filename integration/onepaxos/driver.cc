#include <algorithm>
#include <chrono>
#include <string>

#include "foretell/integration/onepaxos/protocol.h"

namespace foretell::integration::onepaxos {
namespace {

using Cut = Protocol::Cut;

// Nodes other than `only` may do nothing by themselves; `only` may do `calls_max` of each kind.
Cut Allow(Cut cut, size_t only, uint32_t calls_max) {
  for (size_t n = 0; n < cut.nodes.size(); ++n) {
    if (!cut.nodes[n]) continue;
    const uint32_t most = only == n || only == cut.nodes.size() ? calls_max : 0;
    cut.nodes[n]->proposals_left = std::min(cut.nodes[n]->proposals_left, most);
    cut.nodes[n]->suspicions_left = std::min(cut.nodes[n]->suspicions_left, most);
  }
  return cut;
}

}  // namespace

model::ActionTiming Protocol::Timing(const Action& action) const {
  using std::chrono_literals::operator""ms;
  if (action.cause == Cause::kPropose) return {};
  // A node that leads by mistake is worse than a late change of leader, so it is the more patient.
  return {model::ActionTiming::Origin::kTimer,
          action.cause == Cause::kSuspectLeader ? 900ms : 1500ms};
}

std::vector<Protocol::Imagined> Protocol::Imagine(const Cut& live) const {
  std::vector<Imagined> spaces;
  const auto add = [&](size_t only, uint32_t calls_max, const std::string& text) {
    const Cut cut = Allow(live, only, calls_max);
    spaces.push_back({cut, cut, text});
  };
  const size_t everybody = live.nodes.size();
  if (!live.in_flight.empty()) add(everybody, 0, "nobody acts; messages arrive");
  for (size_t n = 0; n < live.nodes.size(); ++n) {
    if (live.nodes[n]) add(n, 1, "node " + std::to_string(n) + " proposes or suspects");
  }
  add(everybody, 1, "each node proposes and suspects once");
  return spaces;
}

}  // namespace foretell::integration::onepaxos
