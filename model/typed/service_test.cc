#include "foretell/model/typed/service.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "foretell/model/plain/local_step.h"

namespace foretell::model {
namespace {

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// The least that a protocol has to have: no actions, no faults.
struct MinimalProtocol {
  using State = Number;
  using Message = Number;
  uint32_t node_count() const { return 2; }
  State Initial(NodeId node) const { return {10 + node.value()}; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
  // 100 and 101 throw, 102 breaks an assertion and then goes on.
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    if (message.n == 100) throw std::runtime_error("boom");
    if (message.n == 101) throw 7;
    context.Require(message.n != 102, "not 102");
    context.Require(message.n != 102, "not 102 again");
    state.n += message.n;
    context.Send(from, {context.self().value()});
  }
};

// Chooses among 2, then among 3 if the first choice was 1.
struct ChoosingProtocol : MinimalProtocol {
  void OnMessage(State& state, NodeId, const Message&, Context<Message>& context) const {
    state.n = context.Choose(2);
    if (state.n == 1) state.n += context.Choose(3);
  }
};

// Has all the handlers.
struct FaultyProtocol : MinimalProtocol {
  Network network() const { return {.kind = NetworkKind::kStreams}; }
  FaultBudget faults(NodeId) const { return {.crashes_max = 1, .breaks_max = 2}; }
  State OnCrash(NodeId node, const State& state) const { return {state.n * 10 + node.value()}; }
  void OnRestart(State& state, Context<Message>& context) const {
    state.n += 1;
    context.Broadcast({state.n});
  }
  void OnBreak(State& state, NodeId peer, Context<Message>&) const { state.n = 50 + peer.value(); }
};

const NodeId kNode(1);

Event Delivery(uint32_t n) { return {EventKind::kDeliver, NodeId(0), Encode(Number{n})}; }

HandlerResult RunOne(const Service& service, const std::string& state, const Event& event) {
  return service.Run(kNode, state, std::span(&event, 1), {});
}

TEST(TypedServiceTest, DefaultsAreDatagramsWithoutFaultsAndActions) {
  const auto service = MakeService(MinimalProtocol{});
  EXPECT_EQ(service->network().kind, NetworkKind::kDatagrams);
  EXPECT_EQ(service->network().duplicates_max, 0u);
  EXPECT_EQ(service->faults(kNode).crashes_max, 0);
  EXPECT_EQ(service->faults(kNode).breaks_max, 0);
  EXPECT_TRUE(service->Actions(kNode, service->InitialState(kNode)).empty());
  EXPECT_TRUE(LocalEvents(*service, kNode, {.body = service->InitialState(kNode)}).empty());
}

TEST(TypedServiceTest, DefaultCrashKeepsNothingAndDefaultRestartDoesNothing) {
  const auto service = MakeService(MinimalProtocol{});
  const auto crashed = RunOne(*service, Encode(Number{99}), {.kind = EventKind::kCrash});
  EXPECT_EQ(crashed.state, service->InitialState(kNode));
  EXPECT_TRUE(crashed.failure.empty());
  for (const EventKind kind : {EventKind::kRestart, EventKind::kBreak}) {
    const auto result = RunOne(*service, Encode(Number{99}), {.kind = kind});
    EXPECT_EQ(result.state, Encode(Number{99}));
    EXPECT_TRUE(result.sends.empty());
  }
}

TEST(TypedServiceTest, OwnFaultHandlersAreUsed) {
  const auto service = MakeService(FaultyProtocol{});
  const std::string state = Encode(Number{4});
  EXPECT_EQ(RunOne(*service, state, {.kind = EventKind::kCrash}).state, Encode(Number{41}));
  const auto restarted = RunOne(*service, state, {.kind = EventKind::kRestart});
  EXPECT_EQ(restarted.state, Encode(Number{5}));
  EXPECT_EQ(restarted.sends.size(), 2u);
  const auto broken = RunOne(*service, state, {.kind = EventKind::kBreak, .peer = NodeId(0)});
  EXPECT_EQ(broken.state, Encode(Number{50}));
}

TEST(TypedServiceTest, HandlesAMessage) {
  const auto service = MakeService(MinimalProtocol{});
  const auto result = RunOne(*service, service->InitialState(kNode), Delivery(5));
  EXPECT_EQ(result.state, Encode(Number{16}));
  EXPECT_EQ(result.sends, (std::vector<Send>{{NodeId(0), Encode(Number{1})}}));
  EXPECT_TRUE(result.failure.empty());
}

TEST(TypedServiceTest, ExceptionsBecomeFailures) {
  const auto service = MakeService(MinimalProtocol{});
  const std::string state = service->InitialState(kNode);
  EXPECT_EQ(RunOne(*service, state, Delivery(100)).failure, "exception: boom");
  EXPECT_EQ(RunOne(*service, state, Delivery(101)).failure, "exception of unknown type");
}

TEST(TypedServiceTest, TheFirstBrokenAssertionCounts) {
  const auto service = MakeService(MinimalProtocol{});
  EXPECT_EQ(RunOne(*service, service->InitialState(kNode), Delivery(102)).failure, "not 102");
}

TEST(TypedServiceTest, AFailedHandlerSendsNothingAndEndsItsNode) {
  const auto service = MakeService(MinimalProtocol{});
  const NodeState up{.body = service->InitialState(kNode)};
  const auto outcomes = RunAllChoices(*service, kNode, up, Delivery(102));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].next.status, NodeStatus::kFailed);
  EXPECT_EQ(outcomes[0].next.body, "not 102");
  EXPECT_TRUE(outcomes[0].sends.empty());
  EXPECT_TRUE(LocalEvents(*service, kNode, outcomes[0].next).empty());
}

TEST(TypedServiceTest, ChoicesAreEnumeratedInLexicographicOrder) {
  const auto service = MakeService(ChoosingProtocol{});
  const NodeState up{.body = service->InitialState(kNode)};
  std::vector<std::vector<uint32_t>> choices;
  std::vector<std::string> states;
  for (const LocalOutcome& outcome : RunAllChoices(*service, kNode, up, Delivery(0))) {
    choices.push_back(outcome.choices);
    states.push_back(outcome.next.body);
  }
  EXPECT_EQ(choices, (std::vector<std::vector<uint32_t>>{{0}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(states, (std::vector<std::string>{Encode(Number{0}), Encode(Number{1}),
                                              Encode(Number{2}), Encode(Number{3})}));
}

TEST(TypedServiceTest, RunsSeveralEventsOnOneStateAndReportsOnTheLast) {
  const auto service = MakeService(MinimalProtocol{});
  const Event events[] = {Delivery(1), Delivery(2)};
  const auto result = service->Run(kNode, service->InitialState(kNode), events, {});
  EXPECT_EQ(result.state, Encode(Number{14}));
  EXPECT_EQ(result.sends.size(), 1u);
}

// Wraps something that remembers more than its state: how many events it has seen since it woke.
struct WrappingProtocol : MinimalProtocol {
  class Live {
   public:
    explicit Live(State state) : state_(state) {}
    const State& state() const { return state_; }
    void Add(uint32_t n) {
      ++events_;
      state_.n += n * events_;
    }

   private:
    State state_;
    uint32_t events_ = 0;
  };
  Live Wake(NodeId, State state, Life) const { return Live(state); }
  void OnMessage(Live& live, NodeId, const Message& message, Context<Message>& context) const {
    live.Add(message.n);
    context.RestartTimer(message);
  }
  bool Valid(const State& state) const { return state.n < 1000; }
};

TEST(TypedServiceTest, OneLiveObjectHandlesAllEventsOfARun) {
  const auto service = MakeService(WrappingProtocol());
  const Event one{EventKind::kDeliver, NodeId(1), Encode(Number{1})};
  const Event crash{EventKind::kCrash, NodeId(0), ""};
  const Event twice[] = {one, one};
  EXPECT_EQ(service->Run(NodeId(0), Encode(Number{5}), twice, {}).state, Encode(Number{8}));
  const Event woken[] = {one, crash, one};
  const HandlerResult result = service->Run(NodeId(0), Encode(Number{5}), woken, {});
  EXPECT_EQ(result.state, Encode(Number{11})) << "10 at boot";
  EXPECT_EQ(result.restarted, std::vector<std::string>{Encode(Number{1})});

  const auto live = service->MakeLive(NodeId(0), Encode(Number{5}));
  const Draw none = [](uint32_t) { return 0u; };
  live->Handle(one, none);
  live->Handle(one, none);
  EXPECT_EQ(live->Encode(), Encode(Number{8}));
  EXPECT_EQ(live->Survivor(), Encode(Number{10}));
}

TEST(TypedServiceTest, AProtocolCanRefuseWellFormedBytes) {
  const auto service = MakeService(WrappingProtocol());
  EXPECT_TRUE(service->ValidState(Encode(Number{999})));
  EXPECT_FALSE(service->ValidState(Encode(Number{1000})));
  EXPECT_TRUE(service->ValidMessage(Encode(Number{5})));
}

TEST(TypedServiceTest, KnowsItsOwnBytes) {
  const auto service = MakeService(MinimalProtocol{});
  EXPECT_TRUE(service->ValidState(Encode(Number{1})));
  EXPECT_FALSE(service->ValidState(""));
  EXPECT_FALSE(service->ValidMessage(std::string("\x80\x00", 2)));
  EXPECT_TRUE(service->ValidAction(""));  // No actions: the empty struct.
  EXPECT_FALSE(service->ValidAction("x"));
  EXPECT_EQ(service->RenderMessage(Encode(Number{3})), "Number(n=3)");
  EXPECT_EQ(service->RenderState(kNode, Encode(Number{3})), (std::vector<Field>{{"n", "3"}}));
}

}  // namespace
}  // namespace foretell::model
