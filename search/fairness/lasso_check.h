#pragma once

// A check of a cycle that shares nothing with the engine that found it: no ids, no table, no graph.

#include <functional>

#include "absl/status/status.h"
#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/liveness/fairness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/service.h"

namespace foretell::search {

// What is to be shown: after the first `cycle_from` steps of `path`, the rest can be repeated for
// ever, counts on nothing but what recovery counts on, is fair, and meets no state that `holds`.
struct LassoClaim {
  const model::Service& service;
  model::CountOn count_on = model::CountOn::kCalls;
  model::Fairness fairness = model::Fairness::kWeak;
  const model::SystemCut& start;
  const model::Path& path;
  size_t cycle_from = 0;
  std::function<bool(const model::SystemCut&)> holds;
};

// OK iff it is so; else Internal, naming what is wrong. The round ends with the same nodes, and the
// same messages in flight; of datagrams there may be more, which pile up and forbid nothing, but
// then count as being in flight all the time.
absl::Status CheckLasso(const LassoClaim& claim);

}  // namespace foretell::search
