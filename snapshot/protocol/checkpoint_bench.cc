#include "foretell/snapshot/protocol/checkpoint.h"

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "foretell/model/typed/service.h"
#include "foretell/snapshot/protocol/checkpointer.h"
#include "foretell/snapshot/testing/large_states.h"

namespace foretell::snapshot {
namespace {

using model::NodeId;

constexpr uint32_t kPeers = kLargeNodes - 1;

// Processor time of this thread: what others do on the machine does not count.
double ThreadMicros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double Quantile(std::vector<double> values, size_t percent) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) * percent / 100];
}

// A checkpoint of a node that talks to four others, as its own thread feels it.
template <class Protocol>
void BM_Request(benchmark::State& state) {
  const auto service = model::MakeService(Protocol());
  const auto live = service->MakeLive(NodeId(0), service->InitialState(NodeId(0)));
  Checkpointer checkpointer({}, [&live, &checkpointer] {
    return model::NodeState{.body = live->EncodeInto(checkpointer.TakeSpare())};
  });

  for (uint32_t peer = 1; peer <= kPeers; ++peer) {
    for (uint64_t seq = 1; seq <= 2 * kDatagramsKept; ++seq) {
      checkpointer.OnSend(NodeId(peer), std::string(100, 'x'));
      checkpointer.OnReceive(NodeId(peer), {0, FirstEpoch(1), seq});
    }
  }
  uint64_t number = 0;
  // The first ones fill the quota: later ones find memory that is in use already.
  while (number < 32) benchmark::DoNotOptimize(checkpointer.Request(++number));
  using Clock = std::chrono::steady_clock;
  std::vector<double> micros;
  std::vector<double> cpu_micros;
  for (auto _ : state) {
    const Clock::time_point start = Clock::now();
    const double cpu_start = ThreadMicros();
    benchmark::DoNotOptimize(checkpointer.Request(++number));
    cpu_micros.push_back(ThreadMicros() - cpu_start);
    micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  state.counters["state_bytes"] = static_cast<double>(live->Encode().size());
  state.counters["p50_us"] = Quantile(micros, 50);
  state.counters["p99_us"] = Quantile(micros, 99);
  state.counters["cpu_p99_us"] = Quantile(cpu_micros, 99);
}
BENCHMARK(BM_Request<LargeStore>)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Request<LargeLog>)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace foretell::snapshot
