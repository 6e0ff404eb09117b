#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::search {

// The naive search's knowledge of a service once it has seen every state.
struct NaiveResult {
  // Every invariant that some reachable state breaks, model::kLocalAssertions included, each with
  // a shortest path to such a state.
  std::map<std::string, model::Path> violated;
  // States in which no step is possible, in PlainSystem's canonical form.
  std::set<model::SystemCut> terminals;
  uint64_t states = 0;
  uint64_t transitions = 0;
  bool finished = false;  // Within the limit of states; otherwise nothing above is final.

  std::set<std::string> ViolatedNames() const;
};

// The oracle that all engines are judged by: breadth-first search over whole system states, on the
// plain semantics. It goes on past violations. Deliberately dumb: it shares no ids, tables or
// reductions with the engines, so that it cannot share their mistakes.
// REQUIRES: `start` is valid for `service`.
NaiveResult NaiveSearch(const model::Service& service, const model::SystemCut& start,
                        uint64_t states_max);

}  // namespace foretell::search
