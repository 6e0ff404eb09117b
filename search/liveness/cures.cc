#include "foretell/search/liveness/cures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/search/recovery/region.h"

namespace foretell::search {
namespace {

using model::EventId;
using model::EventKind;
using model::NodeId;

// What can be tried, one at a time.
struct Candidate {
  NodeId node;
  EventId event;
  std::string text;
};

std::vector<Candidate> Candidates(RecoveryMoves& moves, const GlobalState& dead) {
  model::TransitionTable& table = moves.table();
  const model::Service& service = table.service();
  std::vector<Candidate> candidates;
  for (uint32_t n = 0; n < dead.node_count(); ++n) {
    const NodeId node(n);
    if (!table.Accepts(node, dead.state(node))) continue;
    candidates.push_back(
        {node, EventId::Bare(EventKind::kCrash, NodeId(0)), absl::StrCat("restart node ", n)});
    if (service.network().kind == model::NetworkKind::kStreams) {
      for (uint32_t peer = 0; peer < dead.node_count(); ++peer) {
        if (peer == n) continue;
        candidates.push_back({node, EventId::Bare(EventKind::kBreak, NodeId(peer)),
                              absl::StrCat("break the stream from node ", peer, " to node ", n)});
      }
    }
    for (const EventId event : table.LocalEvents(node, dead.state(node))) {
      if (event.kind() != EventKind::kAction || moves.Follows(event)) continue;
      candidates.push_back(
          {node, event,
           absl::StrCat(service.RenderAction(table.EventOf(event).body), " at node ", n)});
    }
  }
  return candidates;
}

// The steps from `state` to live; nothing if there is no way, or none was found.
std::optional<size_t> Distance(Oracle& oracle, RecoveryMoves& moves,
                               model::InvariantTable& invariants, const GlobalState& state,
                               model::Budget& budget) {
  constexpr uint32_t kStatesMax = 1 << 14;
  Region region(oracle.space(), invariants, moves);
  const Region::End end = region.Close(state, kStatesMax, budget);
  if (end == Region::End::kLive) return region.PathToLive().size();
  const bool datagrams = moves.table().service().network().kind == model::NetworkKind::kDatagrams;
  if (end == Region::End::kClosed || !datagrams) return std::nullopt;
  // There may be too much in flight to see the end of it. What is possible without it is with it.
  GlobalState emptied = state;
  for (uint32_t n = 0; n < state.node_count(); ++n) emptied.set_mailbox(NodeId(n), MailboxId(0));
  Region alone(oracle.space(), invariants, moves);
  if (alone.Close(emptied, kStatesMax, budget) != Region::End::kLive) return std::nullopt;
  return alone.PathToLive().size();
}

// The states after `event`, and after the restart if it stops the node.
std::vector<GlobalState> After(GlobalSpace& space, const GlobalState& from, NodeId node,
                               EventId event) {
  std::vector<GlobalState> states;
  GlobalState next(from.node_count());
  for (const model::Step& step : space.table().Successors(node, from.state(node), event)) {
    space.Apply(from, node, event, step, next);
    states.push_back(next);
  }
  return states;
}

}  // namespace

std::vector<model::Cure> FindCures(Oracle& oracle, RecoveryMoves& moves,
                                   model::InvariantTable& invariants, const GlobalState& dead,
                                   model::Budget& budget) {
  std::vector<model::Cure> cures;
  for (const Candidate& candidate : Candidates(moves, dead)) {
    model::Cure cure{{candidate.node, moves.table().EventOf(candidate.event), {}}, candidate.text};
    const bool restarts = candidate.event.kind() == EventKind::kCrash;
    for (const GlobalState& down : After(oracle.space(), dead, candidate.node, candidate.event)) {
      std::vector<GlobalState> states = {down};
      if (restarts) {
        states = After(oracle.space(), down, candidate.node,
                       EventId::Bare(EventKind::kRestart, NodeId(0)));
      }
      for (const GlobalState& state : states) {
        const auto distance = Distance(oracle, moves, invariants, state, budget);
        if (!distance) continue;
        const size_t steps = *distance + (restarts ? 2 : 1);
        if (!cure.helps || steps < cure.steps) cure.steps = steps;
        cure.helps = true;
      }
    }
    cures.push_back(std::move(cure));
  }
  std::stable_sort(cures.begin(), cures.end(), [](const model::Cure& a, const model::Cure& b) {
    return a.helps != b.helps ? a.helps : a.helps && a.steps < b.steps;
  });
  return cures;
}

}  // namespace foretell::search
