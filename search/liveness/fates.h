#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "foretell/search/liveness/marks.h"
#include "foretell/search/recovery/recovery_moves.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

// The fate of every state that a search has seen so far, exactly: dead is what cannot recover,
// and whatever a bound cut off counts as alive, so that a state that is called dead is dead whether
// or not the search ever ends. No edges are stored: sweeps over the states ask for successors
// again. Two bits per state.
//
// In a reduced space successors may be missing: who recovers there recovers, and of who does not
// nothing is known yet. Those are put to somebody who knows.
class Fates {
 public:
  // All outlive this.
  Fates(GlobalSpace& space, const StateSearch& search, RecoveryMoves& moves)
      : space_(space), search_(search), moves_(moves), state_(space.table().node_count()) {}

  enum class Fate : uint8_t { kAlive, kDead, kUnknown };
  using Ask = std::function<Fate(uint32_t state)>;
  // From now on the space is a reduced one.
  void Reduce(Ask ask) { ask_ = std::move(ask); }

  // Judges all states that the search knows by now. False if the budget ended it; then nothing is
  // known that was not known before.
  bool Judge(model::Budget& budget);

  bool live(uint32_t state) const { return marks_[state] == Mark::kLive; }
  bool dead(uint32_t state) const { return state < marks_.size() && marks_[state] == Mark::kDead; }
  uint64_t dead_count() const { return dead_count_; }
  // The first dead state: on a shortest way into death that is known. REQUIRES: there is one.
  uint32_t first_dead() const;
  // Those of a reduced space that nobody could decide. They count as alive.
  uint64_t unknown_count() const { return unknown_count_; }
  // For those who know more about a state that a bound cut off.
  void SetDead(uint32_t state);
  uint64_t looks() const { return looks_; }  // Successors asked for by sweeps, in all.
  uint64_t bytes() const { return marks_.bytes(); }

 private:
  void LookAtNew();
  bool Recovers(uint32_t index);
  bool Sweep(model::Budget& budget, bool& changed);
  bool AskAbout(model::Budget& budget);

  GlobalSpace& space_;
  const StateSearch& search_;
  RecoveryMoves& moves_;
  GlobalState state_;  // The one that is looked at.
  Marks marks_;        // Alive: as far as the judgement in progress knows.
  uint64_t dead_count_ = 0;
  uint64_t unknown_count_ = 0;
  Ask ask_;
  uint64_t looks_ = 0;
};

}  // namespace foretell::search
