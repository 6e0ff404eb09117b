#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/agent/check/selection.h"
#include "foretell/search/recovery/oracle.h"
#include "foretell/search/recovery/property_view.h"
#include "foretell/search/recovery/walker.h"

namespace foretell::bench {

// A system and one of its liveness predicates, by id, with all that walks and proofs take.
class Subject {
 public:
  // The selection outlives this. REQUIRES: it has the predicate.
  Subject(const agent::Selection& selection, const std::string& property, uint64_t seed);

  const model::Service& service() const { return service_; }
  size_t property() const { return property_; }
  // The exact semantics, with any number of copies in flight.
  search::GlobalSpace& space() { return space_; }
  search::RecoveryMoves& moves() { return moves_; }
  search::Oracle& oracle() { return oracle_; }
  search::Walker& walker() { return walker_; }
  const search::GlobalState& start() const { return start_; }
  // One that remembers nothing yet.
  search::Oracle FreshOracle(uint64_t seed) { return {invariants_, moves_, {}, seed}; }
  // A state of space(), as oracles want it.
  search::GlobalState For(search::Oracle& oracle, const search::GlobalState& state) const {
    return oracle.Place(space_, state, /*emptied=*/false);
  }

  // Any of all that can happen in `state`, losses included; false if there is nothing.
  bool AnyStep(search::GlobalState& state);

 private:
  void AddLosses(const search::GlobalState& state, std::vector<search::GlobalState>& next);

  const model::Service& service_;
  const size_t property_;
  const search::PropertyView view_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  search::RecoveryMoves moves_;
  search::GlobalSpace space_;
  search::Oracle oracle_;
  search::Walker walker_;
  const search::GlobalState start_;
};

}  // namespace foretell::bench
