#include "foretell/tests/bench/breakdown.h"

#include <chrono>

#include "foretell/lmc/combinations.h"
#include "foretell/lmc/soundness.h"
#include "foretell/model/budget.h"
#include "foretell/model/check.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/global_space.h"
#include "foretell/search/graphs/node_graphs.h"

namespace foretell::bench {
namespace {

// Adds the time it lives to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(Seconds& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::steady_clock::now() - begin_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Seconds& sum_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Breakdown BreakDown(const model::System& system) {
  model::TransitionTable table(*system.service);
  model::InvariantTable invariants(table);
  search::GlobalSpace space(table);
  const search::GlobalState start = space.Start(system.start);
  search::NodeGraphs graphs(table, system.start);
  lmc::Combinations combinations(invariants, graphs, table.node_count());
  const model::InvariantSet wanted =
      invariants.all() & ~(model::InvariantSet{1} << invariants.assertions());

  Breakdown result;
  model::Budget budget = model::Budget::Unlimited();
  bool settled = false;
  for (uint32_t bound = 1; !settled && !result.found; bound *= 2) {
    ++result.rounds;
    {
      const Stopwatch stopwatch(result.explore);
      FORETELL_CHECK(graphs.Grow(bound, budget, nullptr));
    }
    const bool closed = !graphs.held_back();
    {
      const Stopwatch stopwatch(result.combine);
      FORETELL_CHECK(combinations.Update(lmc::Combine::kByProjection, wanted, budget));
    }
    settled = closed;
    if (combinations.goals().empty()) continue;
    const Stopwatch stopwatch(result.verify);
    lmc::Soundness soundness(space, invariants, graphs);
    const auto answer = soundness.Verify(start, combinations.goals(), {}, budget);
    settled = closed && answer.settled;
    result.found = !answer.findings.empty();
    result.checks += answer.checks;
    result.rejections += answer.rejections;
    result.verify_transitions += answer.transitions;
  }
  result.node_states = graphs.state_count();
  result.system_states = combinations.system_states();
  return result;
}

}  // namespace foretell::bench
