#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/report.h"
#include "foretell/search/explorers.h"
#include "foretell/search/forced_moves.h"
#include "foretell/search/global_space.h"
#include "foretell/search/local_moves.h"
#include "foretell/search/quotient.h"
#include "foretell/search/state_store.h"

namespace foretell::search {

// Decides which of the enabled events of a state need to be followed.
class Reduction {
 public:
  virtual ~Reduction() = default;
  // Moves the chosen ones to the front of `moves` and returns how many they are. The search
  // follows the rest too when all the chosen ones lead to states that were already expanded: the
  // cycle proviso, without which an event could be put off for ever.
  virtual size_t Choose(const GlobalState& state, std::vector<Move>& moves) = 0;
  // False only if no run of the system ever comes back to a state it has left. Nothing can then be
  // put off for ever, and the search follows the chosen ones alone, wherever they lead.
  virtual bool MayReturn() const { return true; }
  // From so many stored states on, Run follows forced moves and does not store the states between
  // them (search/forced_moves.h). REQUIRES: unless never, what is chosen depends on the state
  // alone.
  static constexpr uint32_t kNever = UINT32_MAX;
  virtual uint32_t forced_from() const { return kNever; }
};

// The one search loop: stateful, over ids. Order and reduction vary; nothing else does.
class StateSearch {
 public:
  // `reduction`, `filter` and `quotient` may be null, one of the last two is. All outlive the
  // search.
  StateSearch(GlobalSpace& space, model::InvariantTable& invariants, const SearchOptions& options,
              Reduction* reduction, const MoveFilter* filter = nullptr,
              Quotient* quotient = nullptr);

  // The findings of a search. `wanted` are the invariants to look for.
  struct Result {
    bool exhausted = false;  // Nothing was cut off by budget or depth.
    struct Found {
      size_t invariant;
      uint32_t state;  // First state that violates it; see PathTo.
    };
    std::vector<Found> found;  // At most one per invariant, in the order of discovery.
    uint64_t transitions = 0;
    uint64_t depth = 0;
  };
  Result Run(const GlobalState& start, model::InvariantSet wanted, model::Budget& budget);
  // The same, but stops where `states_max` states are known and some are not expanded: paused.
  // Resume goes on; the result of the last of them counts.
  Result Run(const GlobalState& start, model::InvariantSet wanted, model::Budget& budget,
             uint32_t states_max);
  Result Resume(model::Budget& budget, uint32_t states_max);
  bool paused() const { return paused_; }

  // The same piece by piece, for those who look at the states themselves: nothing is looked for.
  // REQUIRES: breadth first.
  void Begin(const GlobalState& start);
  // Goes on until at least `states_max` states are known, nothing is left, or the budget is spent.
  void Grow(uint32_t states_max, model::Budget& budget);
  // States below this index are expanded: all their successors are known, too.
  uint32_t expanded_count() const { return std::min(next_, cut_off_); }
  // True iff every state that was found is expanded.
  bool finished() const { return expanded_count() == store_.size(); }
  const Result& result() const { return result_; }
  const StateStore& store() const { return store_; }
  // A state to load into.
  GlobalState MakeState() const { return GlobalState(current_.node_count()); }

  // The way from the start to a state of the last run; with a quotient, to one that it stands for,
  // or nothing and a complaint of the quotient.
  model::Path PathTo(uint32_t state);
  uint32_t state_count() const { return store_.size(); }
  uint64_t visited_bytes() const { return store_.bytes(); }
  uint64_t bytes() const { return store_.bytes() + space_.bytes() + invariants_.bytes(); }

 private:
  struct Pending {
    uint32_t state;
    uint32_t depth;
  };
  std::optional<Pending> Next();
  bool Expand(const Pending& pending, model::Budget& budget);
  bool Follow(std::span<const Move> moves, model::Budget& budget);
  bool TakeStep(model::Budget& budget);
  bool FollowForced(model::NodeId changed, model::Budget& budget);
  void ArriveAll(const Pending& pending);
  void Arrive(const Pending& pending, size_t staged, StateStore::Inserted inserted);
  bool KeepsDepths() const { return options_.order == Order::kDepthFirst || forced_; }
  void Look(uint32_t index);
  void LookAtEnd(uint32_t index);
  void Judge(uint32_t index, model::InvariantSet asked);
  model::InvariantSet ViolatedBySuccessor();
  bool Expanded(uint32_t index) const;
  void Tell(model::Budget& budget) const;

  GlobalSpace& space_;
  model::InvariantTable& invariants_;
  const SearchOptions& options_;
  Reduction* const reduction_;
  const MoveFilter* const filter_;
  Quotient* const quotient_;
  const bool may_return_;
  LocalMoves local_;
  StateStore store_;
  // Breadth first: every state below `next_` is expanded; the store is the queue, and `layer_end_`
  // is where the next depth begins. Depth first: a stack, and a depth and a mark per state. Forced
  // moves make depths differ within a layer: then each state has one, too.
  uint32_t next_ = 0;
  uint32_t layer_end_ = 1;
  uint32_t layer_ = 0;
  uint32_t cut_off_ = UINT32_MAX;  // From here on states were left as they are by a bound.
  bool paused_ = false;
  bool goes_on_ = false;  // Even if no invariant is wanted.
  std::vector<Pending> stack_;
  std::vector<uint32_t> depths_;
  std::vector<bool> expanded_;

  GlobalState current_;
  GlobalState successor_;
  std::vector<Move> moves_;
  std::vector<LocalMoves::Outcome> outcomes_;  // Of Follow.
  // Where the staged successors differ from the current state.
  struct Changed {
    model::NodeId node;
    model::StateId state;
    uint32_t forced = 0;  // Moves that followed; then other nodes may differ, too.
  };
  std::vector<Changed> changed_;
  std::optional<ForcedMoves> forced_;  // If moves will ever be forced.
  uint32_t forced_in_a_row_ = 0;
  std::vector<uint32_t> signatures_;
  bool progressed_ = false;  // The current expansion reached a state that is not expanded yet.
  model::InvariantSet wanted_ = 0;
  Result result_;
};

}  // namespace foretell::search
