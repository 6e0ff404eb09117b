#include <algorithm>
#include <string>

#include "foretell/integration/paxos/protocol.h"

namespace foretell::integration::paxos {
namespace {

using Cut = Protocol::Cut;
using Imagined = Protocol::Imagined;
using State = Protocol::State;

// How many of the newest indexes count as recent.
constexpr uint32_t kRecent = 4;

// One beyond the highest index that the node has heard of; the last index has none beyond it.
uint32_t EndOf(const Log& log) {
  if (log.decrees.empty()) return 0;
  return std::max(log.decrees.back().index, log.decrees.back().index + 1);
}

uint32_t RecentFrom(uint32_t end) { return end > kRecent ? end - kRecent : 0; }

bool Learned(const State& state, uint32_t index) { return state.log.ChosenAt(index) != 0; }

// Who could still propose for `index`: nodes that are up and have neither learned nor forgotten it.
std::vector<size_t> Unlearned(const Cut& cut, uint32_t index) {
  std::vector<size_t> nodes;
  for (size_t n = 0; n < cut.nodes.size(); ++n) {
    const auto& state = cut.nodes[n];
    if (state && index >= state->log.floor && !Learned(*state, index)) nodes.push_back(n);
  }
  return nodes;
}

bool HeardOf(const Cut& cut, uint32_t index) {
  return std::any_of(cut.nodes.begin(), cut.nodes.end(), [index](const auto& state) {
    return state && state->log.Find(index) != nullptr;
  });
}

// Only what concerns `index`.
Cut Focus(const Cut& cut, uint32_t index) {
  Cut focus = cut;
  for (auto& state : focus.nodes) {
    if (!state) continue;
    std::erase_if(state->log.decrees, [index](const Decree& d) { return d.index != index; });
  }
  std::erase_if(focus.in_flight, [index](const auto& m) { return IndexOf(m.message) != index; });
  return focus;
}

Imagined WithProposals(const Cut& live, uint32_t index, const std::vector<size_t>& proposers) {
  Imagined imagined{live, {}, ""};
  for (const size_t node : proposers) {
    imagined.cut.nodes[node]->imagined.insert(index);
    imagined.text += (imagined.text.empty() ? "node " : " and ") + std::to_string(node);
  }
  imagined.focus = Focus(imagined.cut, index);
  if (proposers.empty()) imagined.text = "nobody";
  imagined.text += (proposers.size() > 1 ? " propose for index " : " proposes for index ") +
                   std::to_string(index);
  return imagined;
}

}  // namespace

std::vector<Protocol::Action> Protocol::Calls(model::NodeId node, const State& state) const {
  if (window == 0) return Actions(node, state);
  const uint32_t end = EndOf(state.log);
  std::vector<Action> calls;
  for (uint32_t index = std::max(RecentFrom(end), state.log.floor); index < end; ++index) {
    if (state.log.Find(index) != nullptr && !Learned(state, index)) calls.push_back({index});
  }
  if (state.log.Find(end) == nullptr) calls.push_back({end});
  return calls;
}

std::vector<Imagined> Protocol::Imagine(const Cut& live) const {
  // Not live: the cut says itself who may still propose.
  if (window == 0) return {{live, live, "the proposals that are left"}};
  uint32_t end = 0;
  for (const auto& state : live.nodes) {
    if (state) end = std::max(end, EndOf(state->log));
  }
  std::vector<Imagined> none;
  std::vector<Imagined> one;
  std::vector<Imagined> all;
  for (uint32_t index = end; index-- > RecentFrom(end);) {
    const std::vector<size_t> unlearned = Unlearned(live, index);
    if (unlearned.empty() || !HeardOf(live, index)) continue;
    none.push_back(WithProposals(live, index, {}));
    for (const size_t node : unlearned) one.push_back(WithProposals(live, index, {node}));
    if (unlearned.size() > 1) all.push_back(WithProposals(live, index, unlearned));
  }
  std::erase_if(none, [](const Imagined& space) { return space.focus.in_flight.empty(); });
  none.insert(none.end(), one.begin(), one.end());
  none.insert(none.end(), all.begin(), all.end());
  return none;
}

}  // namespace foretell::integration::paxos
