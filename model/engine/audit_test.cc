// Services that are not what they claim: functions of state and event.

#include <gtest/gtest.h>

#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

struct Tick {};

enum class Fault {
  kNone,
  kHiddenCounter,
  kHiddenSend,
  kHiddenChoice,
  kMissingMember,
  kHiddenEnd,
  kEveryOtherTime,
};

// Node 0 ticks up to 5, node 1 counts messages.
struct TickProtocol {
  struct State {
    uint32_t count = 0;
    bool odd = false;  // Missing in Fields if that is the fault.
    bool captured = true;
    template <class V>
    void Fields(V& v) {
      v("count", count);
      v("captured", captured);
      if (captured) v("odd", odd);
    }
  };
  using Message = Tick;
  using Action = Tick;

  Fault fault = Fault::kNone;
  mutable uint32_t runs = 0;   // What a service must not have.
  mutable uint32_t asked = 0;  // Likewise: how often for actions.

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {.captured = fault != Fault::kMissingMember}; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (fault == Fault::kHiddenEnd && ++runs == 3) return {};
    const bool other_time = ++asked % 2 == 0;
    if (fault == Fault::kEveryOtherTime && state.count == 1 && other_time) return {};
    return node == NodeId(0) && state.count < 5 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    OnMessage(state, NodeId(0), {}, context);
  }
  void OnMessage(State& state, NodeId, const Message&, Context<Message>& context) const {
    ++runs;
    state.count += state.odd ? 2 : 1;
    if (fault == Fault::kMissingMember) state.odd = !state.odd;
    if (fault == Fault::kHiddenCounter && runs > 3) ++state.count;
    if (fault == Fault::kHiddenSend && runs > 3) context.Send(NodeId(1), {});
    if (fault == Fault::kHiddenChoice && runs > 3) context.Choose(2);
  }
};

// Asks for everything node 0 does by itself, then audits.
std::string Verdict(Fault fault) {
  const auto service = MakeService(TickProtocol{fault});
  TransitionTable table(*service);
  const NodeId node(0);
  StateId state = table.InternState(node, {.body = service->InitialState(node)});
  for (auto events = table.LocalEvents(node, state); !events.empty();) {
    state = table.Successors(node, state, events[0])[0].next;
    events = table.LocalEvents(node, state);
  }
  EXPECT_FALSE(table.nondeterminism().has_value());
  table.Audit();
  return table.nondeterminism().value_or("");
}

TEST(AuditTest, DoesNotAccuseADeterministicService) { EXPECT_EQ(Verdict(Fault::kNone), ""); }

TEST(AuditTest, CatchesAnotherStateAndNamesTheEvent) {
  EXPECT_EQ(Verdict(Fault::kHiddenCounter),
            std::string("action Tick() at node 0: the same state and event led to two different "
                        "states") +
                kSomethingElse);
}

TEST(AuditTest, CatchesOtherMessages) {
  EXPECT_EQ(Verdict(Fault::kHiddenSend),
            std::string("action Tick() at node 0: the same state and event sent different "
                        "messages") +
                kSomethingElse);
}

TEST(AuditTest, CatchesOtherChoices) {
  EXPECT_EQ(Verdict(Fault::kHiddenChoice),
            std::string("action Tick() at node 0: the same state and event had 1 outcomes first "
                        "and 2 when run again") +
                kSomethingElse);
}

// Nothing ran in the state at which nothing was offered once.
TEST(AuditTest, CatchesOtherActionsWhereNothingRan) {
  EXPECT_EQ(
      Verdict(Fault::kHiddenEnd),
      std::string("Actions at node 0: the same state enabled different actions") + kSomethingElse);
}

// Two executions are audited in turn, so that asking once for each would always ask the first at an
// odd time, as the search did. The node has more states than are asked for their actions alone,
// which are every third.
TEST(AuditTest, CatchesActionsThatAlternateInStepWithTheAudit) {
  const auto service = MakeService(TickProtocol{Fault::kEveryOtherTime});
  TransitionTable table(*service);
  const NodeId node(0);
  const auto at = [&](uint32_t count) {
    return table.InternState(node, {.body = Encode(TickProtocol::State{.count = count})});
  };
  at(0);
  for (const uint32_t count : {1, 2}) {
    table.Successors(node, at(count), table.LocalEvents(node, at(count))[0]);
  }
  for (uint32_t count = 3; count < 3'003; ++count) table.LocalEvents(node, at(count));
  table.Audit();
  EXPECT_EQ(table.nondeterminism().value_or(""),
            std::string("action Tick() at node 0: the same state enabled different actions") +
                kSomethingElse);
}

TEST(AuditTest, CatchesStateThatTheEncodingLeavesOut) {
  EXPECT_EQ(Verdict(Fault::kMissingMember),
            "action Tick() at node 0: what happens next depends on state that the encoding leaves "
            "out (a member missing in Fields?): then action Tick() at node 0 goes differently");
}

TEST(AuditTest, CatchesUncapturedStateBehindMessages) {
  const auto service = MakeService(TickProtocol{Fault::kMissingMember});
  TransitionTable table(*service);
  const NodeId node(1);
  const StateId state = table.InternState(node, {.body = service->InitialState(node)});
  const MessageId message = table.InternMessage({NodeId(0), node, Encode(Tick{})});
  table.Successors(node, state, EventId::Deliver(message));
  table.Audit();
  ASSERT_TRUE(table.nondeterminism().has_value());
  EXPECT_EQ(table.nondeterminism()->find("deliver Tick() from node 0 at node 1: what happens"), 0u);
}

// A large service is audited by samples, on the way.
TEST(AuditTest, CatchesALateChangeOfMindInALargeService) {
  const auto service = MakeService(TickProtocol{Fault::kHiddenCounter});
  TransitionTable table(*service);
  const NodeId node(1);
  const MessageId message = table.InternMessage({NodeId(0), node, Encode(Tick{})});
  for (uint32_t n = 0; n < 20'000; ++n) {
    const StateId state =
        table.InternState(node, {.body = Encode(TickProtocol::State{.count = n})});
    table.Successors(node, state, EventId::Deliver(message));
  }
  table.Audit();
  EXPECT_TRUE(table.nondeterminism().has_value());
}

}  // namespace
}  // namespace foretell::model
