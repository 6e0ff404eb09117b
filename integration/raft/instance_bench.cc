#include "integration/raft/instance.h"

#include <benchmark/benchmark.h>

#include "integration/raft/family.h"
#include "model/check.h"
#include "model/fields.h"
#include "model/plain_system.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;

// The states and events of one election with one put, as a checker meets them.
std::vector<std::pair<model::NodeState, model::PathStep>> Steps(const model::System& system) {
  std::vector<std::pair<model::NodeState, model::PathStep>> steps;
  model::PlainSystem at(*system.service, system.start);
  for (std::vector<model::PathStep> enabled = at.Enabled(); !enabled.empty();
       enabled = at.Enabled()) {
    steps.emplace_back(at.state().nodes[enabled[0].node.index()], enabled[0]);
    FORETELL_CHECK(at.Apply(enabled[0]).ok());
  }
  return steps;
}

// Decode, build, step, read, encode.
void BM_Run(benchmark::State& state) {
  const auto system = Family().Make("one-election", "");
  FORETELL_CHECK(system.ok());
  const auto steps = Steps(*system);
  size_t next = 0;
  size_t bytes = 0;
  for (auto _ : state) {
    const auto& [node, step] = steps[next++ % steps.size()];
    const model::HandlerResult result =
        system->service->Run(step.node, node.body, {&step.event, 1}, step.choices);
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
