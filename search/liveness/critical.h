#pragma once

#include <string>
#include <vector>

#include "foretell/model/liveness/liveness.h"
#include "foretell/search/liveness/fates.h"
#include "foretell/search/recovery/oracle.h"

namespace foretell::search {

// Transitions from a state that is alive into one that is dead, of one kind: the same node, and the
// same kind of event. Once it has happened, nothing that can be counted on helps.
struct CriticalGroup {
  model::NodeId node;
  std::string event;  // "deliver Ack", "action GiveUp", "crash".
  uint64_t transitions = 0;
  // The first of them, by the way to it.
  uint32_t from = 0;
  model::PathStep step;
  size_t steps = 0;  // Of the way to it, this one included.
};

// All kinds of critical transitions among the states that are known, those with the shortest way
// first, and of equally long ones deliveries first, then by node. States that only a bound keeps
// alive are put to the oracle; `fates` learns of those that are dead after all.
std::vector<CriticalGroup> FindCritical(GlobalSpace& space, StateSearch& search, Fates& fates,
                                        RecoveryMoves& moves, Oracle& oracle,
                                        model::Budget& budget);

// Where on `path`, whose end is dead or believed to be, the first critical transition lies, by
// halving: what is dead stays dead whatever can be counted on. A start that nobody can decide
// counts as alive. REQUIRES: `path` is not empty and replays from `start`.
model::CriticalInterval Bracket(const model::Service& service, const model::SystemCut& start,
                                const model::Path& path, Oracle& oracle, model::Budget& budget);

// The kind of an event, for people: "deliver Ack".
std::string KindText(const model::Service& service, const model::Event& event);

}  // namespace foretell::search
