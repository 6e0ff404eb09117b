#include "foretell/search/state_search.h"

#include <algorithm>

#include "foretell/model/check.h"

namespace foretell::search {

using model::InvariantSet;
using model::NodeId;

StateSearch::StateSearch(GlobalSpace& space, model::InvariantTable& invariants,
                         const SearchOptions& options, Reduction* reduction,
                         const MoveFilter* filter, Quotient* quotient)
    : space_(space),
      invariants_(invariants),
      options_(options),
      reduction_(reduction),
      filter_(filter),
      quotient_(quotient),
      may_return_(reduction == nullptr || reduction->MayReturn()),
      local_(space),
      store_(2 * size_t{space.table().node_count()}),
      current_(space.table().node_count()),
      successor_(space.table().node_count()),
      signatures_(space.table().node_count()) {}

StateSearch::Result StateSearch::Run(const GlobalState& start, InvariantSet wanted,
                                     model::Budget& budget) {
  return Run(start, wanted, budget, UINT32_MAX);
}

StateSearch::Result StateSearch::Run(const GlobalState& start, InvariantSet wanted,
                                     model::Budget& budget, uint32_t states_max) {
  FORETELL_CHECK(store_.size() == 0);
  wanted_ = wanted;
  result_ = {.exhausted = true};
  // A depth bound counts every state on the way.
  const bool some = reduction_ != nullptr && reduction_->forced_from() != Reduction::kNever;
  // States that stand for others are not one step apart, but for what is exchanged.
  const bool plain = filter_ == nullptr && quotient_ == nullptr;
  if (some && plain && options_.depth_max == UINT32_MAX) {
    forced_.emplace(local_, *reduction_, current_.node_count());
  }
  store_.Insert(start.fields(), StateStore::kNone);
  if (KeepsDepths()) depths_.push_back(0);
  if (options_.order == Order::kDepthFirst) {
    stack_.push_back({0, 0});
    expanded_.push_back(false);
  }
  Look(0);
  return Resume(budget, states_max);
}

StateSearch::Result StateSearch::Resume(model::Budget& budget, uint32_t states_max) {
  paused_ = false;
  while (wanted_ != 0 && !paused_) {
    const std::optional<Pending> pending = Next();
    if (!pending) break;
    if (!Expand(*pending, budget)) {
      result_.exhausted = false;
      break;
    }
    paused_ = store_.size() >= states_max;
  }
  return result_;
}

void StateSearch::Begin(const GlobalState& start) {
  FORETELL_CHECK(store_.size() == 0);
  FORETELL_CHECK(options_.order == Order::kBreadthFirst);
  goes_on_ = true;
  local_.ApplyAll();
  result_ = {.exhausted = true};
  store_.Insert(start.fields(), StateStore::kNone);
}

void StateSearch::Grow(uint32_t states_max, model::Budget& budget) {
  while (store_.size() < states_max) {
    const std::optional<Pending> pending = Next();
    if (!pending) return;
    if (!Expand(*pending, budget)) {
      result_.exhausted = false;
      cut_off_ = std::min(cut_off_, pending->state);
      return;
    }
  }
}

std::optional<StateSearch::Pending> StateSearch::Next() {
  if (options_.order == Order::kBreadthFirst) {
    if (next_ == store_.size()) return std::nullopt;
    if (next_ == layer_end_) {
      layer_end_ = store_.size();
      ++layer_;
    }
    const uint32_t state = next_++;
    return Pending{state, forced_ ? depths_[state] : layer_};
  }
  while (!stack_.empty()) {
    const Pending pending = stack_.back();
    stack_.pop_back();
    // A state is pushed again when a shorter way to it is found; older entries are then stale.
    if (depths_[pending.state] != pending.depth || expanded_[pending.state]) continue;
    expanded_[pending.state] = true;
    return pending;
  }
  return std::nullopt;
}

bool StateSearch::Expanded(uint32_t index) const {
  return options_.order == Order::kBreadthFirst ? index < next_ : expanded_[index];
}

bool StateSearch::Expand(const Pending& pending, model::Budget& budget) {
  result_.depth = std::max<uint64_t>(result_.depth, pending.depth);
  store_.Load(pending.state, current_.fields());
  moves_.clear();
  local_.Look(current_);
  local_.AllEnabled(moves_);
  if (filter_ != nullptr) {
    std::erase_if(moves_, [this](const Move& move) { return !filter_->Follows(move.event); });
  }
  if (moves_.empty()) LookAtEnd(pending.state);
  if (pending.depth >= options_.depth_max) {
    if (!moves_.empty()) {
      result_.exhausted = false;
      cut_off_ = std::min(cut_off_, pending.state);
    }
    return true;
  }
  const size_t chosen = reduction_ ? reduction_->Choose(current_, moves_) : moves_.size();
  const std::span<const Move> moves(moves_);
  progressed_ = false;
  bool within = Follow(moves.first(chosen), budget);
  ArriveAll(pending);
  if (within && !progressed_ && (wanted_ != 0 || goes_on_) && chosen < moves.size()) {
    within = Follow(moves.subspan(chosen), budget);
    ArriveAll(pending);
  }
  return within && (quotient_ == nullptr || quotient_->Verify(budget));
}

// Stages the successors by `moves`. False if the budget ended it.
bool StateSearch::Follow(std::span<const Move> moves, model::Budget& budget) {
  const bool follow = forced_ && store_.size() >= reduction_->forced_from();
  for (const Move& move : moves) {
    // A copy: forced moves look at other states.
    const auto outcomes = local_.Outcomes(move);
    outcomes_.assign(outcomes.begin(), outcomes.end());
    for (const LocalMoves::Outcome& outcome : outcomes_) {
      const model::Step& step = outcome.step;
      if (filter_ != nullptr && !filter_->Follows(move.event, step)) continue;
      if (!TakeStep(budget)) return false;
      local_.Apply(current_, move, outcome, successor_);
      if (follow) {
        const bool within = FollowForced(move.node, budget);
        local_.Look(current_);
        if (!within) return false;
      }
      if (quotient_ != nullptr) quotient_->Represent(successor_);
      store_.Stage(successor_.fields());
      changed_.push_back({move.node, step.next, forced_in_a_row_});
    }
  }
  return true;
}

bool StateSearch::TakeStep(model::Budget& budget) {
  if (!budget.TakeStep()) return false;
  constexpr uint64_t kTellEvery = 1 << 14;
  if (++result_.transitions % kTellEvery == 0) Tell(budget);
  return true;
}

// Takes `successor_`, of which `changed` is what is new, to where more than one step is chosen,
// none is, or something is violated. False if the budget ended it.
bool StateSearch::FollowForced(NodeId changed, model::Budget& budget) {
  forced_in_a_row_ = 0;
  uint32_t before = invariants_.Signature(changed, current_.state(changed));
  while (forced_in_a_row_ < ForcedMoves::kInARowMax) {
    const bool looks_the_same = invariants_.Signature(changed, successor_.state(changed)) == before;
    if (!looks_the_same && (ViolatedBySuccessor() & invariants_.all() & wanted_) != 0) return true;
    // Where the way may lead back, it is over where it does: else it would go round and round.
    if (may_return_ && store_.Find(successor_.fields()) != StateStore::kNone) return true;
    const auto next = forced_->In(successor_);
    if (!next) return true;
    if (!TakeStep(budget)) return false;
    changed = next->move.node;
    before = invariants_.Signature(changed, successor_.state(changed));
    std::swap(successor_, forced_->next());
    ++forced_in_a_row_;
  }
  return true;
}

void StateSearch::ArriveAll(const Pending& pending) {
  store_.InsertStaged(pending.state, [&](size_t staged, StateStore::Inserted inserted) {
    Arrive(pending, staged, inserted);
  });
  changed_.clear();
}

void StateSearch::Arrive(const Pending& pending, size_t staged, StateStore::Inserted inserted) {
  const auto [index, fresh] = inserted;
  const auto [node, state, forced] = changed_[staged];
  const uint32_t depth = pending.depth + 1 + forced;
  if (KeepsDepths() && fresh) depths_.push_back(depth);
  if (options_.order == Order::kDepthFirst) {
    if (fresh) expanded_.push_back(false);
    // With a depth bound a shorter way may lead further: expand again. Without one it cannot.
    const bool reopen = options_.depth_max != UINT32_MAX && depth < depths_[index];
    if (fresh || reopen) {
      if (reopen) store_.set_parent(index, pending.state);
      depths_[index] = depth;
      expanded_[index] = false;
      stack_.push_back({index, depth});
    }
  }
  if (!Expanded(index) || (!may_return_ && index != pending.state)) progressed_ = true;
  if (!fresh || wanted_ == 0) return;
  // Invariants see node states only: a successor that looks the same has the same violations.
  if (forced > 0 ||
      invariants_.Signature(node, state) != invariants_.Signature(node, current_.state(node))) {
    Look(index);
  }
}

void StateSearch::Look(uint32_t index) {
  store_.Load(index, successor_.fields());
  Judge(index, invariants_.all());
}

// Where nothing was found to follow, `index` being the current state.
void StateSearch::LookAtEnd(uint32_t index) {
  if ((invariants_.when_stuck() & wanted_) == 0 || filter_ != nullptr) return;
  if (!space_.NothingInFlight(current_)) return;
  successor_ = current_;
  Judge(index, invariants_.when_stuck());
}

InvariantSet StateSearch::ViolatedBySuccessor() {
  for (uint32_t n = 0; n < successor_.node_count(); ++n) {
    signatures_[n] = invariants_.Signature(NodeId(n), successor_.state(NodeId(n)));
  }
  if (quotient_ != nullptr) quotient_->Judged(signatures_);
  return invariants_.Violated(signatures_);
}

void StateSearch::Judge(uint32_t index, InvariantSet asked) {
  const InvariantSet violated = ViolatedBySuccessor() & wanted_ & asked;
  if (violated == 0) return;
  for (size_t i = 0; i < invariants_.count(); ++i) {
    if ((violated >> i & 1) != 0) result_.found.push_back({i, index});
  }
  wanted_ = options_.all_invariants ? wanted_ & ~violated : 0;
}

void StateSearch::Tell(model::Budget& budget) const {
  budget.HoldBytes(bytes());
  if (!options_.progress) return;
  options_.progress({.phase = reduction_ ? "searching, reduced" : "searching",
                     .states = store_.size(),
                     .transitions = result_.transitions,
                     .depth = result_.depth,
                     .bytes = bytes()});
}

model::Path StateSearch::PathTo(uint32_t state) {
  std::vector<uint32_t> chain;
  for (uint32_t at = state; at != StateStore::kNone; at = store_.parent(at)) chain.push_back(at);
  std::reverse(chain.begin(), chain.end());
  std::vector<GlobalState> states(1, MakeState());
  store_.Load(chain[0], states[0].fields());
  for (size_t i = 1; i < chain.size(); ++i) {
    GlobalState to = MakeState();
    store_.Load(chain[i], to.fields());
    if (forced_) {
      forced_->AppendWay(GlobalState(states.back()), to, states);
    } else {
      states.push_back(std::move(to));
    }
  }
  if (quotient_ != nullptr) return quotient_->PathAlong(states).value_or(model::Path());
  return space_.PathThrough(states, filter_);
}

}  // namespace foretell::search
