#include "foretell/integration/raft/library/instance.h"

#include <benchmark/benchmark.h>

#include "foretell/integration/raft/family.h"
#include "foretell/integration/raft/testing/first_steps.h"
#include "foretell/model/check.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;

// Decode, build, step, read, encode.
void BM_Run(benchmark::State& state) {
  const auto system = Family().Make("one-election", "");
  FORETELL_CHECK(system.ok());
  const auto steps = testing::FirstSteps(*system);
  size_t next = 0;
  size_t bytes = 0;
  for (auto _ : state) {
    const auto& [state_before, step] = steps[next++ % steps.size()];
    const model::HandlerResult result =
        system->service->Run(step.node, state_before, {&step.event, 1}, step.choices);
    bytes += result.state.size();
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["state_bytes"] =
      static_cast<double>(bytes) / static_cast<double>(state.iterations());
}
BENCHMARK(BM_Run);

// The same event again and again at a node that lives: no building.
void BM_LiveHeartbeat(benchmark::State& state) {
  const auto system = Family().Make("live", "");
  FORETELL_CHECK(system.ok());
  const auto live = system->service->MakeLive(model::NodeId(1), system->start.nodes[1].body);
  const std::string body = model::Encode(Message(AppendEntries{2, 1, 1, 1, {}}));
  const model::Draw draw = [](uint32_t) { return 0u; };
  for (auto _ : state) {
    benchmark::DoNotOptimize(live->Handle({EventKind::kDeliver, model::NodeId(0), body}, draw));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_LiveHeartbeat);

}  // namespace
}  // namespace foretell::integration::raft
