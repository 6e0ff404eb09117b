#include <time.h>

#include <chrono>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/snapshot/protocol/checkpointer.h"
#include "foretell/snapshot/testing/large_states.h"
#include "foretell/tests/bench/figures.h"
#include "foretell/tests/bench/snapshot_sections.h"
#include "foretell/tests/bench/statistics.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using model::NodeId;

double ThreadSeconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

struct Costs {
  size_t state_bytes = 0;
  std::vector<double> wall;  // Seconds.
  std::vector<double> cpu;
};

// Checkpoints of a node that talks to four others, one after the other, encoding included.
template <class Protocol>
Costs Measure(uint64_t count) {
  const auto service = model::MakeService(Protocol());
  const auto live = service->MakeLive(NodeId(0), service->InitialState(NodeId(0)));
  snapshot::Checkpointer checkpointer({}, [&live, &checkpointer] {
    return model::NodeState{.body = live->EncodeInto(checkpointer.TakeSpare())};
  });
  for (uint32_t peer = 1; peer < snapshot::kLargeNodes; ++peer) {
    for (uint64_t seq = 1; seq <= 2 * snapshot::kDatagramsKept; ++seq) {
      checkpointer.OnSend(NodeId(peer), std::string(100, 'x'));
      checkpointer.OnReceive(NodeId(peer), {0, snapshot::FirstEpoch(1), seq});
    }
  }
  Costs costs;
  // The first ones fill the quota: later ones find memory that is in use already.
  constexpr uint64_t kWarm = 32;
  for (uint64_t number = 1; number <= kWarm + count; ++number) {
    const Clock::time_point begin = Clock::now();
    const double cpu_begin = ThreadSeconds();
    const auto checkpoint = checkpointer.Request(number);
    const double cpu = ThreadSeconds() - cpu_begin;
    const Seconds wall = Clock::now() - begin;
    if (!checkpoint.ok()) return {};
    costs.state_bytes = (*checkpoint)->state.body.size();
    if (number <= kWarm) continue;
    costs.wall.push_back(wall.count());
    costs.cpu.push_back(cpu);
  }
  return costs;
}

void AddRow(const char* shape, const Costs& costs, Table& table) {
  const auto time = [](const std::vector<double>& values, double share) {
    return Time(Seconds(Quantile(values, share)));
  };
  table.Add({shape, Bytes(costs.state_bytes), Time(Seconds(Mean(costs.wall))),
             time(costs.wall, 0.5), time(costs.wall, 0.99), "< 1 ms",
             Time(Seconds(Mean(costs.cpu))), time(costs.cpu, 0.5), time(costs.cpu, 0.99)});
}

}  // namespace

bool PrintCheckpoints(const SnapshotPlan& plan, std::ostream& out) {
  const Costs store = Measure<snapshot::LargeStore>(plan.checkpoints);
  const Costs log = Measure<snapshot::LargeLog>(plan.checkpoints);
  out << "CHECKPOINTS: what one costs the node, encoding included, on the node's own thread; "
      << plan.checkpoints << " of each\n\n";
  if (store.wall.empty() || log.wall.empty()) {
    out << "A CHECKPOINT WAS REFUSED\n";
    return false;
  }
  Table table;
  table.Add({"", "", "wall", "", "wall", "p99", "processor", "", "processor"});
  table.Add({"state", "encoded", "mean", "p50", "p99", "target", "mean", "p50", "p99"});
  AddRow("key-value store: 1,000 strings of 1 KB", store, table);
  AddRow("log: 41,000 entries of ten integers", log, table);
  out << table.Text(2);
  return true;
}

}  // namespace foretell::bench
