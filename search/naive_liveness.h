#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/service.h"

namespace foretell::search {

struct NaiveLivenessOptions {
  uint64_t states_max = 200'000;  // Of the space, and again of what follows when all is lost.
  // Datagrams: as many equal ones are in flight at most; what is sent beyond that is lost. Copies
  // that are in flight at the start stay. 0: any number, which few spaces with retries survive.
  uint32_t copies_max = 0;
  model::CountOn count_on = model::CountOn::kCalls;
};

// The fate of every state for one liveness predicate, within the cap of copies.
struct NaiveLivenessResult {
  uint64_t states = 0;
  uint64_t transitions = 0;  // One per step that is possible somewhere.
  uint64_t live = 0;         // States in which the predicate holds.
  uint64_t capped = 0;       // Transitions that lost what they sent to the cap.
  bool start_dead = false;
  // States from which nothing that can be counted on leads to a live one, in PlainSystem's
  // canonical form. A limit of states adds none: what was not explored counts as alive.
  std::set<model::SystemCut> dead;
  // Transitions from a state that is not dead to one that is, of one kind of event at one node
  // each, those with the shortest path first.
  std::vector<model::CriticalKind> kinds;

  // Datagrams only: of the nodes of every state, those that are dead once all that is in flight is
  // lost. The cuts have an empty network.
  std::set<model::SystemCut> dead_by_loss;
  uint64_t system_states = 0;   // Those that were judged so.
  model::Path to_dead_by_loss;  // A shortest path to where losing all that is in flight is death.

  bool finished = false;  // Within the limits; otherwise there may be more of everything.
};

// The judge of whatever claims to know which states are dead: the whole graph on the plain
// semantics, and a fixpoint. Deliberately dumb, as NaiveSearch, and shares nothing with engines.
// A failed node never satisfies a predicate.
// REQUIRES: `start` is valid for `service` and lacks no node; `property` is an index into
// service.invariants().
NaiveLivenessResult NaiveLiveness(const model::Service& service, const model::SystemCut& start,
                                  size_t property, const NaiveLivenessOptions& options = {});

}  // namespace foretell::search
