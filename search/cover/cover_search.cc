#include "foretell/search/cover/cover_search.h"

#include <algorithm>
#include <utility>

#include "foretell/model/check.h"
#include "foretell/search/cover/cover_loop.h"
#include "foretell/search/cover/unroll.h"

namespace foretell::search {

using model::EventId;
using model::NodeId;
using model::StateId;

CoverSearch::CoverSearch(model::TransitionTable& table, const MoveFilter* filter)
    : table_(table), filter_(filter), bags_(table), states_(table.node_count()) {}

void CoverSearch::Begin(const model::SystemCut& start) {
  std::vector<model::MessageId> in_flight;
  for (const model::Message& message : start.in_flight) {
    in_flight.push_back(table_.InternMessage(message));
  }
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    states_[n] = table_.InternState(NodeId(n), start.nodes[n]).value();
  }
  FORETELL_CHECK(tree_.size() == 0);
  Arrive({.system = systems_.Intern(states_), .bag = bags_.Intern(in_flight)});
}

void CoverSearch::Begin(std::span<const StateId> system) {
  FORETELL_CHECK(tree_.size() == 0);
  FORETELL_CHECK(system.size() == states_.size());
  for (size_t n = 0; n < states_.size(); ++n) states_[n] = system[n].value();
  Arrive({.system = systems_.Intern(states_)});
}

std::span<const StateId> CoverSearch::system(uint32_t number) const {
  const auto numbers = systems_.at(number);
  return {reinterpret_cast<const StateId*>(numbers.data()), numbers.size()};
}

void CoverSearch::Grow(uint32_t systems_max, model::Budget& budget,
                       const model::ProgressSink& progress) {
  while (system_count() < systems_max) {
    const std::optional<uint32_t> next = Next();
    if (!next) return;
    if (Expand(*next, budget, progress)) continue;
    // Whoever has more to spend begins with it again; what is known already is dropped then.
    pending_.push_back(*next);
    return;
  }
}

// What is outdone need not be expanded: the one that outdid it will be, or is in turn outdone.
std::optional<uint32_t> CoverSearch::Next() {
  while (!pending_.empty()) {
    const uint32_t next = pending_.back();
    pending_.pop_back();
    if (!outdone_[next]) return Refreshed(next);
  }
  return std::nullopt;
}

bool CoverSearch::Expand(uint32_t at, model::Budget& budget, const model::ProgressSink& progress) {
  const auto states = system(tree_[at].system);
  for (const Bags::Entry& entry : bags_.Content(tree_[at].bag)) {
    const NodeId node = table_.receiver(entry.message);
    if (!table_.Accepts(node, states[node.index()])) continue;
    if (!Follow(at, node, EventId::Deliver(entry.message), budget, progress)) return false;
  }
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    for (const EventId event : table_.LocalEvents(NodeId(n), states[n])) {
      if (!Follow(at, NodeId(n), event, budget, progress)) return false;
    }
  }
  return true;
}

bool CoverSearch::Follow(uint32_t at, NodeId node, EventId event, model::Budget& budget,
                         const model::ProgressSink& progress) {
  if (filter_ != nullptr && !filter_->Follows(event)) return true;
  const CoverNode from = tree_[at];
  const auto states = systems_.at(from.system);
  for (const model::Step& step : table_.Successors(node, StateId(states[node.index()]), event)) {
    if (filter_ != nullptr && !filter_->Follows(event, step)) continue;
    if (!budget.TakeStep()) return false;
    constexpr uint64_t kTellEvery = 1 << 14;
    if (++transitions_ % kTellEvery == 0) Tell(budget, progress);
    std::copy(states.begin(), states.end(), states_.begin());
    states_[node.index()] = step.next.value();
    Arrive({.system = systems_.Intern(states_),
            .bag = bags_.After(from.bag, event, step.sends),
            .parent = at,
            .depth = from.depth + 1,
            .node = node,
            .event = event,
            .step = step});
  }
  return true;
}

void CoverSearch::Arrive(CoverNode next) {
  if (next.system == known_.size()) {
    known_.push_back({.first = tree_.size()});
  } else if (IsCovered(next)) {
    return;
  }
  next.twin = TwinAbove(next);
  lifts_.clear();
  Accelerate(next);
  pending_.push_back(Plant(next));
}

// Loops that were found since make it larger: better now than when all that follows is known.
uint32_t CoverSearch::Refreshed(uint32_t at) {
  CoverNode node = tree_[at];
  const auto lifts = tree_.LiftsOf(at);
  lifts_.assign(lifts.begin(), lifts.end());
  Accelerate(node);
  return node.bag == tree_[at].bag ? at : Plant(node);
}

// Whoever covers one often covers the next: it is asked first then.
bool CoverSearch::IsCovered(const CoverNode& next) {
  std::vector<uint32_t>& widest = known_[next.system].widest;
  const auto found = std::find_if(widest.begin(), widest.end(), [&](uint32_t known) {
    return bags_.Within(next.bag, tree_[known].bag);
  });
  if (found == widest.end()) return false;
  std::swap(*found, widest.front());
  return true;
}

uint32_t CoverSearch::TwinAbove(const CoverNode& next) const {
  // Those above have smaller numbers: there is none beyond the first with this system state.
  const uint32_t first = known_[next.system].first;
  uint32_t above = next.parent;
  while (above != CoverNode::kNone && above >= first) {
    if (tree_[above].system == next.system) return above;
    above = tree_[above].parent;
  }
  return CoverNode::kNone;
}

uint32_t CoverSearch::Plant(const CoverNode& next) {
  const uint32_t number = tree_.Add(next, lifts_);
  depth_ = std::max<uint64_t>(depth_, next.depth);
  outdone_.push_back(false);
  std::vector<uint32_t>& widest = known_[next.system].widest;
  std::erase_if(widest, [&](uint32_t known) {
    if (!bags_.Within(tree_[known].bag, next.bag)) return false;
    outdone_[known] = true;
    return true;
  });
  widest.push_back(number);
  return number;
}

// A bag that grew may now have what another loop needs, or outdo a twin that it did not outdo
// before: once more, then. There are finitely many messages to become any number.
void CoverSearch::Accelerate(CoverNode& next) {
  for (BagId before = next.bag;; before = next.bag) {
    for (const uint32_t loop : LoopsAt(next.system)) Take(loop, next);
    for (uint32_t above = next.twin; above != CoverNode::kNone; above = tree_[above].twin) {
      if (!bags_.Within(tree_[above].bag, next.bag)) continue;
      const BagId gains = bags_.Gains(tree_[above].bag, next.bag);
      if (!bags_.Within(gains, next.bag)) Take(AddLoop(above, next, gains), next);
    }
    if (next.bag == before) return;
  }
}

uint32_t CoverSearch::AddLoop(uint32_t above, const CoverNode& below, BagId gains) {
  LoopScan scan(table_, tree_);
  scan.Scan(above, below, lifts_);
  CoverLoop loop = scan.Loop(bags_, above, systems_.at(below.system), gains);
  loop.below = tree_.size();
  loop.lifts = lifts_.size();
  return tree_.AddLoop(std::move(loop));
}

// Each loop is compared with each system state once. Short ones come first: paths are made of them.
const std::vector<uint32_t>& CoverSearch::LoopsAt(uint32_t system) {
  Known& known = known_[system];
  const auto states = systems_.at(system);
  for (; known.compared < tree_.loop_count(); ++known.compared) {
    const CoverLoop& loop = tree_.loop(known.compared);
    const bool fits = std::equal(states.begin(), states.end(), loop.states.begin(),
                                 [](uint32_t state, uint32_t wanted) {
                                   return wanted == CoverLoop::kAny || wanted == state;
                                 });
    if (!fits) continue;
    const auto longer = std::find_if(known.loops.begin(), known.loops.end(), [&](uint32_t other) {
      return tree_.loop(other).steps > loop.steps;
    });
    known.loops.insert(longer, known.compared);
  }
  return known.loops;
}

void CoverSearch::Take(uint32_t number, CoverNode& next) {
  const CoverLoop& loop = tree_.loop(number);
  if (bags_.Within(loop.gains, next.bag) || !bags_.Within(loop.needs, next.bag)) return;
  lifts_.push_back({number, next.bag});
  next.bag = bags_.Join(next.bag, loop.gains);
}

std::optional<model::Path> CoverSearch::PathTo(uint32_t system, size_t steps_max) {
  return Unroll(table_, bags_, tree_, known_[system].first, steps_max);
}

uint64_t CoverSearch::visited_bytes() const {
  // Every tree node is in one list of widest ones at most.
  return bags_.bytes() + tree_.bytes() + systems_.bytes() + known_.capacity() * sizeof(Known) +
         (pending_.capacity() + tree_.size()) * sizeof(uint32_t) + outdone_.capacity() / 8;
}

void CoverSearch::Tell(model::Budget& budget, const model::ProgressSink& progress) const {
  budget.HoldBytes(bytes());
  if (!progress) return;
  progress({.phase = "covering",
            .states = tree_.size(),
            .transitions = transitions_,
            .depth = depth_,
            .bytes = bytes()});
}

}  // namespace foretell::search
