#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foretell/model/event.h"
#include "foretell/tests/bench/liveness/algorithm3.h"

namespace foretell::bench {

// Executions that die, as MaceMC would be given them: any events, faults and losses in any order
// until the state is dead, then what can be counted on. Each is as it says: the proof of its first
// dead state was checked again, and the state before it has a way to recover that replays.
struct Deaths {
  std::vector<Execution> executions;
  size_t drawn = 0;  // Those of them that random steps led to; the others begin with `path`.
  bool proved = true;
};

// `path` leads into death, or `lost` is true and it does once all that is in flight then is lost.
Deaths DrawDeaths(Subject& subject, size_t count, const model::Path& path, bool lost);

}  // namespace foretell::bench
