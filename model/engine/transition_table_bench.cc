#include "foretell/model/engine/transition_table.h"

#include <benchmark/benchmark.h>

#include <optional>
#include <set>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

// The first phase of Paxos: whoever prepares a higher ballot gets a promise.
struct Promises {
  struct State {
    uint32_t promised = 0;
    std::optional<uint32_t> accepted;
    std::set<uint32_t> promised_by;
    FORETELL_FIELDS(promised, accepted, promised_by)
  };
  struct Prepare {
    uint32_t ballot = 0;
    FORETELL_FIELDS(ballot)
  };
  struct Promise {
    uint32_t ballot = 0;
    std::optional<uint32_t> accepted;
    FORETELL_FIELDS(ballot, accepted)
  };
  using Message = std::variant<Prepare, Promise>;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    if (const auto* prepare = std::get_if<Prepare>(&message)) {
      if (prepare->ballot <= state.promised) return;
      state.promised = prepare->ballot;
      context.Send(from, Promise{prepare->ballot, state.accepted});
    } else {
      state.promised_by.insert(from.value());
    }
  }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
};

constexpr uint32_t kStates = 1'000;
const NodeId kNode(1);

NodeState StateNumber(uint32_t i) {
  return {.body = Encode(Promises::State{.promised = i, .accepted = i, .promised_by = {0, 2}})};
}

// Interns kStates states and a message that all of them answer.
std::vector<StateId> Fill(TransitionTable& table, EventId& event) {
  const Message prepare{NodeId(0), kNode, Encode(Promises::Message(Promises::Prepare{kStates}))};
  event = EventId::Deliver(table.InternMessage(prepare));
  std::vector<StateId> states;
  for (uint32_t i = 0; i < kStates; ++i) states.push_back(table.InternState(kNode, StateNumber(i)));
  return states;
}

void BM_SuccessorsFirstTime(benchmark::State& state) {
  const auto service = MakeService(Promises{});
  for (auto _ : state) {
    state.PauseTiming();
    std::optional<TransitionTable> table(std::in_place, *service);
    EventId event;
    const std::vector<StateId> states = Fill(*table, event);
    state.ResumeTiming();
    for (const StateId id : states) {
      benchmark::DoNotOptimize(table->Successors(kNode, id, event).data());
    }
    state.PauseTiming();
    table.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kStates);
}
BENCHMARK(BM_SuccessorsFirstTime);

void BM_SuccessorsRemembered(benchmark::State& state) {
  const auto service = MakeService(Promises{});
  TransitionTable table(*service);
  EventId event;
  const std::vector<StateId> states = Fill(table, event);
  for (const StateId id : states) table.Successors(kNode, id, event);
  for (auto _ : state) {
    for (const StateId id : states) {
      benchmark::DoNotOptimize(table.Successors(kNode, id, event).data());
    }
  }
  state.SetItemsProcessed(state.iterations() * kStates);
}
BENCHMARK(BM_SuccessorsRemembered);

void BM_InternKnownState(benchmark::State& state) {
  const auto service = MakeService(Promises{});
  TransitionTable table(*service);
  const NodeState known = StateNumber(7);
  for (auto _ : state) benchmark::DoNotOptimize(table.InternState(kNode, known));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_InternKnownState);

}  // namespace
}  // namespace foretell::model
