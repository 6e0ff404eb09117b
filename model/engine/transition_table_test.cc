#include "foretell/model/engine/transition_table.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// Node 0 counts to 3 with a choice of how far; on 3 it tells the others, in one of two orders.
struct CountProtocol {
  using State = Number;
  using Message = Number;
  struct Action {
    static constexpr const char* kName = "Count";
  };
  NetworkKind kind = NetworkKind::kDatagrams;

  uint32_t node_count() const { return 3; }
  Network network() const { return {.kind = kind}; }
  FaultBudget faults(NodeId) const { return {.crashes_max = 2, .breaks_max = 1}; }
  State Initial(NodeId) const { return {}; }
  State OnCrash(NodeId, const State& state) const { return state; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) && state.n < 3 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    state.n += state.n == 1 ? 1 + context.Choose(2) : 1;
    context.Require(state.n != 2, "never two");
  }
  // 1 and 2: sends these two to node 2, in that or the other order.
  void OnMessage(State& state, NodeId, const Message& message, Context<Message>& context) const {
    state.n = 9;
    context.Send(NodeId(2), {message.n});
    context.Send(NodeId(1), {7});
    context.Send(NodeId(2), {3 - message.n});
  }
};

// Counts the runs of handlers by what they were asked.
class CountingService final : public Service {
 public:
  explicit CountingService(CountProtocol protocol) : inner_(MakeService(protocol)) {}
  using Asked = std::tuple<NodeId, std::string, Event, std::vector<uint32_t>>;
  mutable std::map<Asked, int> runs;

  uint32_t node_count() const override { return inner_->node_count(); }
  Network network() const override { return inner_->network(); }
  FaultBudget faults(NodeId node) const override { return inner_->faults(node); }
  std::span<const InvariantInfo> invariants() const override { return inner_->invariants(); }
  std::string InitialState(NodeId node) const override { return inner_->InitialState(node); }
  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    return inner_->Actions(node, state);
  }
  HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                    std::span<const uint32_t> choices) const override {
    ++runs[{node, state, events[0], {choices.begin(), choices.end()}}];
    return inner_->Run(node, state, events, choices);
  }
  std::optional<std::string> Project(size_t i, NodeId n, const std::string& s) const override {
    return inner_->Project(i, n, s);
  }
  bool Violates(size_t i, std::span<const std::optional<std::string>> keys) const override {
    return inner_->Violates(i, keys);
  }
  std::vector<Field> RenderState(NodeId node, const std::string& state) const override {
    return inner_->RenderState(node, state);
  }
  std::string RenderMessage(const std::string& b) const override {
    return inner_->RenderMessage(b);
  }
  std::string RenderAction(const std::string& b) const override { return inner_->RenderAction(b); }
  bool ValidState(const std::string& state) const override { return inner_->ValidState(state); }
  bool ValidMessage(const std::string& body) const override { return inner_->ValidMessage(body); }
  bool ValidAction(const std::string& body) const override { return inner_->ValidAction(body); }

 private:
  std::unique_ptr<Service> inner_;
};

const NodeId kNode(0);

EventId Delivery(TransitionTable& table, uint32_t n) {
  return EventId::Deliver(table.InternMessage({NodeId(1), kNode, Encode(Number{n})}));
}

StateId UpState(TransitionTable& table, uint32_t n) {
  return table.InternState(kNode, {.body = Encode(Number{n})});
}

// The messages to `to`, by their numbers.
std::vector<uint32_t> SentTo(const TransitionTable& table, SendsId sends, NodeId to) {
  std::vector<uint32_t> numbers;
  for (const Batch& batch : table.Batches(sends)) {
    for (const MessageId m : table.Messages(batch.list)) {
      if (batch.to == to) {
        numbers.push_back(Decode<Number>(table.EventOf(EventId::Deliver(m)).body)->n);
      }
    }
  }
  return numbers;
}

TEST(TransitionTableTest, RunsAHandlerOncePerStateEventAndChoices) {
  const CountingService service{CountProtocol{}};
  TransitionTable table(service);
  for (int round = 0; round < 3; ++round) {
    for (uint32_t n = 0; n < 3; ++n) {
      const StateId state = UpState(table, n);
      for (const EventId event : table.LocalEvents(kNode, state)) {
        table.Successors(kNode, state, event);
      }
      table.Successors(kNode, state, Delivery(table, 1));
    }
  }
  uint64_t runs = 0;
  for (const auto& [asked, count] : service.runs) {
    EXPECT_EQ(count, 1);
    ++runs;
  }
  EXPECT_EQ(table.handler_executions(), runs);
  // Per state an action (in state 1 with two outcomes), a crash and a delivery: breaks need
  // streams.
  EXPECT_EQ(runs, 10u);
}

TEST(TransitionTableTest, AnAuditIsNotCounted) {
  const CountingService service{CountProtocol{}};
  TransitionTable table(service);
  table.Successors(kNode, UpState(table, 0), Delivery(table, 1));
  table.Audit();
  EXPECT_GT(service.runs.begin()->second, 1);
  EXPECT_EQ(table.handler_executions(), 1u);
  EXPECT_FALSE(table.nondeterminism().has_value());
}

TEST(TransitionTableTest, DatagramsSentInAnotherOrderAreTheSame) {
  const auto service = MakeService(CountProtocol{});
  TransitionTable table(*service);
  const StateId state = UpState(table, 0);
  const Step one = table.Successors(kNode, state, Delivery(table, 1))[0];
  const Step two = table.Successors(kNode, state, Delivery(table, 2))[0];
  EXPECT_EQ(one.sends, two.sends);
  EXPECT_EQ(table.Batches(one.sends).size(), 2u);
  EXPECT_EQ(SentTo(table, one.sends, NodeId(1)), (std::vector<uint32_t>{7}));
}

TEST(TransitionTableTest, StreamsKeepTheOrderOfSending) {
  const auto service = MakeService(CountProtocol{NetworkKind::kStreams});
  TransitionTable table(*service);
  const StateId state = UpState(table, 0);
  const Step one = table.Successors(kNode, state, Delivery(table, 1))[0];
  const Step two = table.Successors(kNode, state, Delivery(table, 2))[0];
  EXPECT_NE(one.sends, two.sends);
  EXPECT_EQ(SentTo(table, one.sends, NodeId(2)), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(SentTo(table, two.sends, NodeId(2)), (std::vector<uint32_t>{2, 1}));
  EXPECT_NE(table.Concatenate(one.sends, two.sends), table.Concatenate(two.sends, one.sends));
}

TEST(TransitionTableTest, ConcatenatesDatagramsInAnyOrder) {
  const auto service = MakeService(CountProtocol{});
  TransitionTable table(*service);
  const SendsId sends = table.Successors(kNode, UpState(table, 0), Delivery(table, 1))[0].sends;
  const SendsId other = table.Successors(kNode, UpState(table, 0), Delivery(table, 0))[0].sends;
  ASSERT_NE(sends, other);
  const SendsId both = table.Concatenate(sends, other);
  EXPECT_EQ(both, table.Concatenate(other, sends));
  EXPECT_EQ(SentTo(table, both, NodeId(2)).size(), 4u);
  EXPECT_EQ(table.Concatenate(sends, SendsId(0)), sends);
}

TEST(TransitionTableTest, AFailedNodeAcceptsNothingAndDoesNothing) {
  const auto service = MakeService(CountProtocol{});
  TransitionTable table(*service);
  const StateId one = UpState(table, 1);
  const auto steps = table.Successors(kNode, one, table.LocalEvents(kNode, one)[0]);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(table.status(kNode, steps[0].next), NodeStatus::kFailed);
  EXPECT_EQ(table.StateOf(kNode, steps[0].next).body, "never two");
  EXPECT_FALSE(table.Accepts(kNode, steps[0].next));
  EXPECT_TRUE(table.LocalEvents(kNode, steps[0].next).empty());
  const EventId count = table.LocalEvents(kNode, one)[0];
  EXPECT_EQ(table.PathStepOf(kNode, count, steps[1]).choices, std::vector<uint32_t>{1});
  EXPECT_TRUE(table.Accepts(kNode, steps[1].next));
}

TEST(TransitionTableTest, CrashesAndRestartsWithinTheBudget) {
  const auto service = MakeService(CountProtocol{});
  TransitionTable table(*service);
  StateId state = UpState(table, 3);
  for (uint8_t crashes = 1; crashes <= 2; ++crashes) {
    ASSERT_EQ(table.LocalEvents(kNode, state).size(), 1u);
    ASSERT_EQ(table.LocalEvents(kNode, state)[0], EventId::Bare(EventKind::kCrash));
    state = table.Successors(kNode, state, EventId::Bare(EventKind::kCrash))[0].next;
    EXPECT_EQ(table.StateOf(kNode, state).faults[FaultKind::kCrash], crashes);
    EXPECT_FALSE(table.Accepts(kNode, state));
    ASSERT_EQ(table.LocalEvents(kNode, state).size(), 1u);
    ASSERT_EQ(table.LocalEvents(kNode, state)[0], EventId::Bare(EventKind::kRestart));
    state = table.Successors(kNode, state, EventId::Bare(EventKind::kRestart))[0].next;
    EXPECT_TRUE(table.Accepts(kNode, state));
  }
  EXPECT_TRUE(table.LocalEvents(kNode, state).empty());
}

TEST(TransitionTableTest, BreaksAreOfferedOnStreamsOncePerPeer) {
  const auto service = MakeService(CountProtocol{NetworkKind::kStreams});
  TransitionTable table(*service);
  const StateId state =
      table.InternState(kNode, {.faults = {{FaultKind::kCrash, 2}}, .body = Encode(Number{3})});
  const auto events = table.LocalEvents(kNode, state);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0], EventId::Bare(EventKind::kBreak, NodeId(1)));
  EXPECT_EQ(events[1], EventId::Bare(EventKind::kBreak, NodeId(2)));
  const StateId after = table.Successors(kNode, state, events[1])[0].next;
  EXPECT_TRUE(table.LocalEvents(kNode, after).empty());
}

TEST(TransitionTableTest, GivesBackWhatWasInterned) {
  const auto service = MakeService(CountProtocol{});
  TransitionTable table(*service);
  const NodeState down{
      NodeStatus::kDown, {{FaultKind::kCrash, 2}, {FaultKind::kBreak, 1}}, Encode(Number{300})};
  const StateId id = table.InternState(kNode, down);
  EXPECT_EQ(table.StateOf(kNode, id), down);
  EXPECT_EQ(table.InternState(kNode, down), id);
  NodeState crashed_once = down;
  crashed_once.faults[FaultKind::kCrash] = 1;
  EXPECT_NE(table.InternState(kNode, crashed_once), id);
  const Event event = table.EventOf(Delivery(table, 5));
  EXPECT_EQ(event, (Event{EventKind::kDeliver, NodeId(1), Encode(Number{5})}));
  EXPECT_NE(table.InternMessage({NodeId(1), NodeId(2), ""}),
            table.InternMessage({NodeId(2), NodeId(1), ""}));
}

}  // namespace
}  // namespace foretell::model
