// What holds of faults of every kind, whatever the kinds are.

#include "foretell/model/event_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "foretell/model/describe.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/local_step.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {

void PrintTo(FaultKind kind, std::ostream* out) { *out << InfoOf(kind).used; }

namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Empty {};

// Three nodes that do nothing but suffer.
struct PatientProtocol {
  using State = Empty;
  using Message = Empty;
  FaultBudget budget;

  uint32_t node_count() const { return 3; }
  Network network() const { return {.kind = NetworkKind::kStreams}; }
  FaultBudget faults(NodeId) const { return budget; }
  State Initial(NodeId) const { return {}; }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
};

constexpr NodeId kNode(1);

std::vector<FaultKind> Kinds() {
  std::vector<FaultKind> kinds;
  for (const FaultKindInfo& fault : kFaults) kinds.push_back(fault.kind);
  return kinds;
}

class FaultTest : public testing::TestWithParam<FaultKind> {
 protected:
  FaultTest() {
    PatientProtocol protocol;
    protocol.budget.*fault().max = 1;
    service_ = MakeService(protocol);
    start_ = InitialCut(*service_).nodes[kNode.index()];
  }
  static FaultKind kind() { return GetParam(); }
  static const FaultKindInfo& fault() { return InfoOf(kind()); }

  std::unique_ptr<Service> service_;
  NodeState start_;
};

TEST_P(FaultTest, HitsTheNodeAsOftenAsItsBudgetSays) {
  const std::vector<Event> events = LocalEvents(*service_, kNode, start_);
  ASSERT_THAT(events, Not(IsEmpty()));
  EXPECT_THAT(events, Each(Field(&Event::kind, fault().event)));
  std::vector<uint32_t> offered;
  NodeState hit = RunLocal(*service_, kNode, start_, events.back(), {}, offered).next;
  EXPECT_EQ(hit.faults, (FaultCounts{{kind(), 1}}));
  EXPECT_EQ(hit.status, fault().stops ? NodeStatus::kDown : NodeStatus::kUp);
  if (fault().stops) {
    hit = RunLocal(*service_, kNode, hit, {.kind = EventKind::kRestart}, {}, offered).next;
  }
  EXPECT_EQ(hit.status, NodeStatus::kUp);
  EXPECT_THAT(LocalEvents(*service_, kNode, hit), IsEmpty());
}

TEST_P(FaultTest, IsPartOfTheState) {
  TransitionTable table(*service_);
  NodeState hit = start_;
  hit.faults[kind()] = 255;
  const StateId id = table.InternState(kNode, hit);
  EXPECT_NE(id, table.InternState(kNode, start_));
  EXPECT_EQ(table.StateOf(kNode, id), hit);
}

TEST_P(FaultTest, KeepsItsPeerWhenItIsANumber) {
  TransitionTable table(*service_);
  const StateId start = table.InternState(kNode, start_);
  std::vector<Event> events;
  for (const EventId id : table.LocalEvents(kNode, start)) events.push_back(table.EventOf(id));
  EXPECT_EQ(events, LocalEvents(*service_, kNode, start_));
}

TEST_P(FaultTest, IsCalledByItsName) {
  EXPECT_THAT(Describe(*service_, kNode, {.kind = fault().event}),
              HasSubstr(KindName(fault().event)));
}

TEST_P(FaultTest, BeyondTheBudgetIsNotValid) {
  SystemCut cut = InitialCut(*service_);
  cut.nodes[1].faults[kind()] = 1;
  EXPECT_TRUE(ValidateCut(*service_, cut).ok());
  cut.nodes[1].faults[kind()] = 2;
  EXPECT_EQ(ValidateCut(*service_, cut).message(),
            std::string("node 1: ") + fault().did + " 2 " + fault().times + ", budget 1");
}

INSTANTIATE_TEST_SUITE_P(EveryKind, FaultTest, testing::ValuesIn(Kinds()),
                         [](const auto& fault) { return InfoOf(fault.param).used; });

TEST(EventKindTest, OnlyFaultsAreFaults) {
  EXPECT_EQ(FaultOf(EventKind::kCrash), FaultKind::kCrash);
  EXPECT_EQ(FaultOf(EventKind::kBreak), FaultKind::kBreak);
  EXPECT_EQ(FaultOf(EventKind::kDeliver), std::nullopt);
  EXPECT_EQ(FaultOf(EventKind::kRestart), std::nullopt);
}

TEST(EventKindTest, StreamsAreEmptiedByABreakAndByTheRestartAfterACrash) {
  EXPECT_TRUE(CanEmptyStreams(FaultKind::kCrash));
  EXPECT_TRUE(CanEmptyStreams(FaultKind::kBreak));
}

}  // namespace
}  // namespace foretell::model
