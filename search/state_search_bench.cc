#include "foretell/search/state_search.h"

#include <benchmark/benchmark.h>

#include <set>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::search {
namespace {

// Every node tells all others once and collects what it hears: many orders, few node states.
struct Gossip {
  using NodeId = model::NodeId;
  struct State {
    bool told = false;
    std::set<uint32_t> heard;
    FORETELL_FIELDS(told, heard)
  };
  struct Hello {};
  struct Tell {};
  using Message = Hello;
  using Action = Tell;

  uint32_t nodes = 0;

  uint32_t node_count() const { return nodes; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.told) return {};
    return {Tell{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.told = true;
    context.Broadcast(Hello{});
  }
  void OnMessage(State& state, NodeId from, const Message&, model::Context<Message>&) const {
    state.heard.insert(from.value());
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

void Explore(benchmark::State& state, Order order, bool reduced) {
  const auto service = model::MakeService(Gossip{.nodes = static_cast<uint32_t>(state.range(0))});
  const model::SystemCut start = model::InitialCut(*service);
  SearchOptions options;
  options.order = order;
  uint64_t transitions = 0;
  uint64_t states = 0;
  for (auto _ : state) {
    const auto explorer =
        reduced ? MakePorExplorer(*service, options) : MakeGlobalExplorer(*service, options);
    model::Budget budget = model::Budget::Unlimited();
    const auto report = explorer->Explore(start, budget);
    FORETELL_CHECK(report.ok());
    FORETELL_CHECK(report->complete);
    transitions += report->stats.transitions.value_or(0);
    states = report->stats.global_states.value_or(0);
  }
  state.SetItemsProcessed(static_cast<int64_t>(transitions));
  state.counters["states"] = static_cast<double>(states);
}

void BM_BreadthFirst(benchmark::State& state) { Explore(state, Order::kBreadthFirst, false); }
BENCHMARK(BM_BreadthFirst)->Arg(3)->Arg(4);
void BM_DepthFirst(benchmark::State& state) { Explore(state, Order::kDepthFirst, false); }
BENCHMARK(BM_DepthFirst)->Arg(3)->Arg(4);
void BM_Reduced(benchmark::State& state) { Explore(state, Order::kBreadthFirst, true); }
BENCHMARK(BM_Reduced)->Arg(3)->Arg(4);

}  // namespace
}  // namespace foretell::search
