#include "foretell/search/liveness/cures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {
namespace {

using model::Cure;
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

// A state after the candidate, and the steps that led to it.
struct Treated {
  GlobalState state;
  model::Path steps;
};

// Everything that can come of `event` after `from`.
std::vector<Treated> After(GlobalSpace& space, const Treated& from, NodeId node, EventId event) {
  std::vector<Treated> all;
  for (const model::Step& step : space.table().Successors(node, from.state.state(node), event)) {
    Treated next = from;
    space.Apply(from.state, node, event, step, next.state);
    next.steps.push_back(space.table().PathStepOf(node, event, step));
    all.push_back(std::move(next));
  }
  return all;
}

std::vector<Treated> Treat(GlobalSpace& space, const GlobalState& dead,
                           const Candidate& candidate) {
  std::vector<Treated> all = After(space, {dead, {}}, candidate.node, candidate.event);
  if (candidate.event.kind() != EventKind::kCrash) return all;
  const EventId restart = EventId::Bare(EventKind::kRestart, NodeId(0));
  std::vector<Treated> up;
  for (const Treated& down : all) {
    for (Treated& again : After(space, down, candidate.node, restart)) {
      up.push_back(std::move(again));
    }
  }
  return up;
}

// A service in which every fault may happen once more at every node.
class OnceMore final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  model::FaultBudget faults(NodeId node) const override {
    model::FaultBudget budget = inner_.faults(node);
    for (const model::FaultKindInfo& fault : model::kFaults) {
      // A budget that is as large as it can be was not what kept the fault from happening.
      if (budget.*fault.max < UINT8_MAX) ++(budget.*fault.max);
    }
    return budget;
  }
};

// One cure must not take the time of all others.
std::optional<model::Path> ShortWay(Oracle& oracle, const GlobalState& state,
                                    model::Budget& budget) {
  constexpr uint64_t kStepsMax = 1'000'000;
  model::Budget share({.steps_max = kStepsMax, .deadline = budget.limits().deadline},
                      [&budget] { return budget.Now(); });
  auto way = oracle.WayToLive(state, share);
  budget.Charge(share);
  return way;
}

absl::Status Confirm(const model::Service& service, size_t property, const model::SystemCut& dead,
                     const std::string& cure, const model::Path& path) {
  const OnceMore lenient(service);
  const auto steps = model::Replay(lenient, dead, path);
  if (steps.ok() && HoldsIn(lenient, property, steps->back().after)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(
      "a cure does not replay: ", cure, ": ",
      steps.ok() ? "the predicate does not hold at its end" : steps.status().ToString()));
}

}  // namespace

absl::StatusOr<std::vector<Cure>> FindCures(const model::Service& service, size_t property,
                                            Oracle& oracle, RecoveryMoves& moves,
                                            const model::SystemCut& dead, model::Budget& budget) {
  // A cure that is not found is said to be not known; most are found or refuted at once.
  constexpr uint32_t kRounds = 5;
  const GlobalState state = oracle.Place(dead);
  std::vector<Cure> cures;
  for (const Candidate& candidate : Candidates(moves, state)) {
    Cure cure{{candidate.node, moves.table().EventOf(candidate.event), {}}, candidate.text};
    bool hopeless = true;
    for (const Treated& treated : Treat(oracle.space(), state, candidate)) {
      const Oracle::Fate fate = oracle.Judge(treated.state, budget, kRounds).fate;
      hopeless = hopeless && fate == Oracle::Fate::kDead;
      if (fate != Oracle::Fate::kAlive) continue;
      const auto way = ShortWay(oracle, treated.state, budget);
      if (!way) continue;
      model::Path path = treated.steps;
      path.insert(path.end(), way->begin(), way->end());
      if (cure.helps() && path.size() >= cure.steps) continue;
      absl::Status status = Confirm(service, property, dead, cure.text, path);
      if (!status.ok()) return status;
      cure.effect = Cure::Effect::kHelps;
      cure.steps = path.size();
    }
    if (hopeless) cure.effect = Cure::Effect::kNone;
    cures.push_back(std::move(cure));
  }
  std::stable_sort(cures.begin(), cures.end(), [](const Cure& a, const Cure& b) {
    return a.helps() != b.helps() ? a.helps() : a.helps() && a.steps < b.steps;
  });
  return cures;
}

}  // namespace foretell::search
