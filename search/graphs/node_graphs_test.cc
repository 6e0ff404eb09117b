#include "foretell/search/graphs/node_graphs.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/global_space.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::EventId;
using model::NodeId;
using model::StateId;

struct Word {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

enum class Kind { kPingPong, kAsk, kCount, kEndless };

// Node 0 says a word once. Ping-pong: it goes to and fro for ever, and each node remembers the last
// of two faces. Ask: node 1 answers; an answer to what was not asked is noted. Count: node 1
// counts. Endless: node 0 counts by itself and says each time that it did.
struct ToyProtocol {
  struct State {
    bool spoke = false;
    uint32_t value = 0;
    FORETELL_FIELDS(spoke, value)
  };
  using Message = Word;
  using Action = Word;
  Kind kind = Kind::kPingPong;
  model::Network net;
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return 2; }
  model::Network network() const { return net; }
  model::FaultBudget faults(NodeId) const { return {.crashes_max = crashes_max}; }
  State Initial(NodeId) const { return {}; }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) && (!state.spoke || kind == Kind::kEndless) ? std::vector<Action>{{}}
                                                                         : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.spoke = true;
    if (kind == Kind::kEndless) ++state.value;
    context.Send(NodeId(1), {1});
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 model::Context<Message>& context) const {
    if (kind == Kind::kPingPong) {
      state.value = message.n;
      context.Send(from, {3 - message.n});
    } else if (kind == Kind::kCount) {
      ++state.value;
    } else if (context.self() == NodeId(1)) {
      ++state.value;
      context.Send(from, {2});
    } else {
      state.value = state.spoke ? state.value + 1 : 99;
    }
  }
};

struct Fixture {
  explicit Fixture(const ToyProtocol& protocol, std::vector<model::Message> in_flight = {})
      : service(model::MakeService(protocol)), table(*service) {
    start = model::InitialCut(*service);
    start.in_flight = std::move(in_flight);
    graphs.emplace(table, start);
  }
  bool Grow(uint32_t bound = UINT32_MAX) {
    Budget budget({.steps_max = 100'000}, [] { return Budget::Time{}; });
    return graphs->Grow(bound, budget, {});
  }
  // The values node `n` has in its graph.
  std::set<uint32_t> Values(uint32_t n) const {
    std::set<uint32_t> values;
    for (const StateId state : graphs->States(NodeId(n))) {
      const auto body = table.StateOf(NodeId(n), state).body;
      values.insert(model::Decode<ToyProtocol::State>(body)->value);
    }
    return values;
  }
  std::unique_ptr<model::Service> service;
  model::TransitionTable table;
  model::SystemCut start;
  std::optional<NodeGraphs> graphs;
};

// Walks over all global states. The number of steps that are missing in the graphs, and of states.
std::pair<size_t, size_t> WalkAll(Fixture& f) {
  GlobalSpace space(f.table);
  std::vector<GlobalState> queue = {space.Start(f.start)};
  std::set<std::vector<uint32_t>> seen;
  size_t missing = 0;
  const auto key = [](const GlobalState& s) {
    return std::vector<uint32_t>(s.fields().begin(), s.fields().end());
  };
  seen.insert(key(queue[0]));
  for (size_t at = 0; at < queue.size(); ++at) {
    for (uint32_t n = 0; n < f.table.node_count(); ++n) {
      const GlobalState state = queue[at];
      std::vector<EventId> events;
      space.Enabled(state, NodeId(n), events);
      for (const EventId event : events) {
        missing += f.graphs->HasEdge(NodeId(n), state.state(NodeId(n)), event) ? 0 : 1;
        for (const auto& step : f.table.Successors(NodeId(n), state.state(NodeId(n)), event)) {
          GlobalState next(state.node_count());
          space.Apply(state, NodeId(n), event, step, next);
          if (seen.insert(key(next)).second) queue.push_back(next);
        }
      }
    }
  }
  return {missing, queue.size()};
}

TEST(NodeGraphsTest, HoldEveryRealStep) {
  const model::Network streams{.kind = model::NetworkKind::kStreams};
  const std::vector<ToyProtocol> toys = {
      {Kind::kPingPong}, {Kind::kPingPong, {}, 1},  {Kind::kPingPong, streams, 2},
      {Kind::kAsk},      {Kind::kAsk, {}, 2},       {Kind::kAsk, {.duplicates_max = 2}},
      {Kind::kCount},    {Kind::kCount, streams, 1}};
  for (size_t i = 0; i < toys.size(); ++i) {
    Fixture f(toys[i]);
    ASSERT_TRUE(f.Grow());
    EXPECT_FALSE(f.graphs->held_back());
    const auto [missing, states] = WalkAll(f);
    EXPECT_EQ(missing, 0u) << "toy " << i;
    EXPECT_GT(states, 2u);
  }
}

TEST(NodeGraphsTest, CloseThoughAMessageGoesToAndFroForEver) {
  Fixture f({Kind::kPingPong});
  ASSERT_TRUE(f.Grow());
  EXPECT_EQ(f.Values(0), (std::set<uint32_t>{0, 2}));
  EXPECT_EQ(f.Values(1), (std::set<uint32_t>{0, 1}));
}

TEST(NodeGraphsTest, HistoriesStopACounter) {
  Fixture once({Kind::kCount});
  ASSERT_TRUE(once.Grow());
  EXPECT_EQ(once.Values(1), (std::set<uint32_t>{0, 1}));

  Fixture duplicated({Kind::kCount, {.duplicates_max = 2}});
  ASSERT_TRUE(duplicated.Grow());
  EXPECT_EQ(duplicated.Values(1), (std::set<uint32_t>{0, 1, 2, 3}));
}

TEST(NodeGraphsTest, HistoriesStopACounterOfManyCopies) {
  Fixture f({Kind::kCount, {}, 3});  // Node 0 may crash and speak again: four times in all.
  ASSERT_TRUE(f.Grow());
  EXPECT_EQ(f.Values(1), (std::set<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(WalkAll(f).first, 0u);
}

TEST(NodeGraphsTest, HistoriesCountWhatTheCutHolds) {
  const model::Message word{NodeId(0), NodeId(1), model::Encode(Word{1})};
  Fixture f({Kind::kCount, {.duplicates_max = 1}}, {word, word});
  ASSERT_TRUE(f.Grow());
  // Two in flight, and one more sent that may come twice.
  EXPECT_EQ(f.Values(1), (std::set<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(WalkAll(f).first, 0u);
}

TEST(NodeGraphsTest, FootprintsRuleOutTheAnswerBeforeTheQuestion) {
  Fixture f({Kind::kAsk});
  ASSERT_TRUE(f.Grow());
  EXPECT_EQ(f.Values(0), (std::set<uint32_t>{0, 1}));
  const auto answer =
      EventId::Deliver(f.table.InternMessage({NodeId(1), NodeId(0), model::Encode(Word{2})}));
  const auto states = f.graphs->States(NodeId(0));
  EXPECT_FALSE(f.graphs->HasEdge(NodeId(0), states[0], answer));
  EXPECT_TRUE(f.graphs->HasEdge(NodeId(0), states[1], answer));
}

// Unless it is there already.
TEST(NodeGraphsTest, AnAnswerInTheCutMayComeFirst) {
  Fixture f({Kind::kAsk}, {{NodeId(1), NodeId(0), model::Encode(Word{2})}});
  ASSERT_TRUE(f.Grow());
  EXPECT_TRUE(f.Values(0).contains(99));
  EXPECT_EQ(WalkAll(f).first, 0u);
}

TEST(NodeGraphsTest, ABoundOnLocalEventsHoldsBackAndLaterDoesNot) {
  Fixture f({Kind::kAsk});
  ASSERT_TRUE(f.Grow(0));
  EXPECT_TRUE(f.graphs->held_back());
  EXPECT_EQ(f.graphs->state_count(), 2u);
  ASSERT_TRUE(f.Grow(1));
  EXPECT_FALSE(f.graphs->held_back());
  EXPECT_EQ(f.graphs->state_count(), 5u);
  EXPECT_EQ(WalkAll(f).first, 0u);
}

TEST(NodeGraphsTest, EndWithTheBudget) {
  Fixture f({Kind::kPingPong});
  Budget budget({.steps_max = 2}, [] { return Budget::Time{}; });
  EXPECT_FALSE(f.graphs->Grow(UINT32_MAX, budget, {}));
  EXPECT_EQ(f.graphs->transitions(), 2u);
  EXPECT_TRUE(f.Grow());  // And go on from there.
  EXPECT_EQ(WalkAll(f).first, 0u);
}

// What is looked at again is a long list, which is not begun anew each time.
TEST(NodeGraphsTest, SmallBudgetsOneAfterTheOtherComeToAnEnd) {
  Fixture whole({Kind::kPingPong});
  ASSERT_TRUE(whole.Grow());
  Fixture f({Kind::kPingPong});
  uint64_t budgets = 0;
  for (bool closed = false; !closed; ++budgets) {
    ASSERT_LT(budgets, 1'000u);
    Budget budget({.steps_max = 3}, [] { return Budget::Time{}; });
    closed = f.graphs->Grow(UINT32_MAX, budget, {});
  }
  EXPECT_EQ(f.graphs->state_count(), whole.graphs->state_count());
  EXPECT_EQ(WalkAll(f).first, 0u);
}

TEST(NodeGraphsTest, EndWithTheMemoryOfTheBudget) {
  Fixture f({Kind::kEndless});
  Budget budget({.steps_max = 100'000, .bytes_max = 1'000'000}, [] { return Budget::Time{}; });
  EXPECT_FALSE(f.graphs->Grow(UINT32_MAX, budget, {}));
  EXPECT_EQ(budget.ended_by(), Budget::Limit::kMemory);
  EXPECT_LT(f.graphs->bytes(), 2'000'000u);
}

}  // namespace
}  // namespace foretell::search
