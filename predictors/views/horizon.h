#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::predictors {

// How far a horizon reaches.
struct Horizon {
  size_t steps_max = 60;  // Of each run.
  size_t runs = 3;        // One in which messages arrive in the order in which they were sent.
};

// The liveness predicates of `service` that come to hold again and again, twice at least, having
// been open before, in some run from `cut` in which nothing goes wrong: messages arrive, and when
// none is left, nodes restart, timers fire and the application calls, in turn. Not where the
// invariant `safe` is broken. Runs are chosen by seeds that never change: a sample, which is cheap,
// and far longer than what a search covers.
std::vector<std::string> HoldAgain(const model::Service& service, const model::SystemCut& cut,
                                   const std::string& safe, Horizon horizon = {});

}  // namespace foretell::predictors
