#include "foretell/search/state_store.h"

#include <benchmark/benchmark.h>

#include <array>

namespace foretell::search {
namespace {

using Tuple = std::array<uint32_t, 6>;

// As many fields as three nodes have, of the size of the two-proposal Paxos, distinct by `i`.
Tuple TupleNumber(uint32_t i) {
  const uint32_t mixed = i * 2'654'435'761u;
  return {i % 1024, mixed % 512, i / 1024 % 1024, mixed / 512 % 512, i / 1024 / 1024, i % 3};
}

void Fill(StateStore& store, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) store.Insert(TupleNumber(i), 0);
}

void BM_InsertFresh(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  uint64_t bytes = 0;
  for (auto _ : state) {
    StateStore store(Tuple().size());
    Fill(store, count);
    bytes = store.bytes();
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["bytes_per_state"] = static_cast<double>(bytes) / count;
}
BENCHMARK(BM_InsertFresh)->Arg(1 << 12)->Arg(1 << 20);

void BM_InsertDuplicates(benchmark::State& state) {
  const auto count = static_cast<uint32_t>(state.range(0));
  StateStore store(Tuple().size());
  Fill(store, count);
  for (auto _ : state) Fill(store, count);
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(BM_InsertDuplicates)->Arg(1 << 12)->Arg(1 << 20);

// As the search inserts: the successors of one state together.
void BM_InsertStagedDuplicates(benchmark::State& state) {
  constexpr uint32_t kSuccessors = 8;
  const auto count = static_cast<uint32_t>(state.range(0));
  StateStore store(Tuple().size());
  Fill(store, count);
  for (auto _ : state) {
    for (uint32_t i = 0; i < count; i += kSuccessors) {
      for (uint32_t j = i; j < i + kSuccessors; ++j) store.Stage(TupleNumber(j));
      store.InsertStaged(0, [](size_t, StateStore::Inserted inserted) {
        benchmark::DoNotOptimize(inserted.index);
      });
    }
  }
  state.SetItemsProcessed(state.iterations() * count);
}
BENCHMARK(BM_InsertStagedDuplicates)->Arg(1 << 12)->Arg(1 << 20);

}  // namespace
}  // namespace foretell::search
