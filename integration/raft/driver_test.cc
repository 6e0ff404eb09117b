#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/integration/raft/family.h"
#include "foretell/integration/raft/protocol.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration::raft {
namespace {

using model::NodeId;

// A cluster in which node 0 has been elected by node 1.
struct Running {
  explicit Running(const std::string& scenario = "live")
      : system(Family().Make(scenario, "").value()), at(*system.service, system.start) {
    Act(0, ElectionTimeout{});
    Deliver(0, 1);
    Deliver(1, 0);
  }
  void Act(uint32_t node, const Action& action) {
    Apply({NodeId(node), {model::EventKind::kAction, NodeId(0), model::Encode(action)}, {}});
  }
  void Deliver(uint32_t from, uint32_t to) {
    for (const model::Message& message : at.state().in_flight) {
      if (message.from != NodeId(from) || message.to != NodeId(to)) continue;
      return Apply({NodeId(to), {model::EventKind::kDeliver, NodeId(from), message.body}, {}});
    }
    FAIL() << "nothing is in flight from " << from << " to " << to;
  }
  void Apply(const model::PathStep& step) { ASSERT_TRUE(at.Apply(step).ok()); }
  State StateOf(uint32_t node) const { return *model::Decode<State>(at.state().nodes[node].body); }
  std::unique_ptr<model::LiveNode> Live(uint32_t node) const {
    return system.service->MakeLive(NodeId(node), at.state().nodes[node].body);
  }

  model::System system;
  model::PlainSystem at;
};

TEST(RaftDriverTest, OnlyALeaderTakesPuts) {
  const Running running;
  ASSERT_EQ(running.StateOf(0).role, Role::kLeader);
  EXPECT_EQ(running.Live(0)->Calls().size(), 1u);
  EXPECT_TRUE(running.Live(1)->Calls().empty());
}

// An entry that other nodes refuse would be in the leader's log for ever.
TEST(RaftDriverTest, CallsAreWords) {
  const Running running;
  const model::Service& service = *running.system.service;
  const auto call = service.ParseCall("Put(key=a, value=b)");
  ASSERT_TRUE(call);
  EXPECT_TRUE(service.ValidAction(*call));
  EXPECT_EQ(service.RenderAction(*call), "Put(key=a, value=b)");
  const std::string long_word(5000, 'x');
  for (const std::string& bad : {std::string("a b"), std::string(), std::string("Zo\xc3\xab"),
                                 std::string("a\tb"), long_word}) {
    const auto put = service.ParseCall("Put(key=" + bad + ", value=b)");
    ASSERT_TRUE(put);
    EXPECT_FALSE(service.ValidAction(*put)) << bad.substr(0, 10);
  }
  for (const char* bad : {"", "Put", "Put(key=a)", "Get(key=a, value=b)", "Put(key=a, value=b"}) {
    EXPECT_FALSE(service.ParseCall(bad)) << bad;
  }
}

TEST(RaftDriverTest, AnswersWhatWasApplied) {
  Running running("one-election");
  EXPECT_EQ(running.Live(0)->Ask("get x"), "nothing");
  running.Act(0, Put{"x", "0.1"});
  EXPECT_EQ(running.Live(0)->Ask("get x"), "nothing") << "it is not committed";
  running.Deliver(0, 1);
  running.Deliver(1, 0);
  running.Deliver(0, 1);
  running.Act(0, DiskDone{});
  running.Act(1, DiskDone{});
  running.Deliver(1, 0);
  EXPECT_EQ(running.Live(0)->Ask("get x"), "value 0.1 index 2");
  EXPECT_EQ(running.Live(0)->Ask("role"), "leader term 2 log 2 committed 2 applied 2");
  EXPECT_FALSE(running.Live(0)->Ask("what"));
}

TEST(RaftDriverTest, ImaginesAtMostOnePutHeartbeatAndElection) {
  const Running running;
  const auto spaces = running.system.service->Imagine(running.at.state());
  ASSERT_GE(spaces.size(), 4u);
  EXPECT_EQ(spaces[0].text, "only what is under way happens");
  for (const model::Imagined& space : spaces) {
    EXPECT_EQ(space.cut.in_flight, running.at.state().in_flight);
    for (uint32_t n = 0; n < 3; ++n) {
      const Budget budget = model::Decode<State>(space.cut.nodes[n].body)->budget;
      EXPECT_LE(budget.puts + budget.timeouts + budget.heartbeats, 2) << space.text;
      EXPECT_EQ(budget.contact_checks, 0) << space.text;
    }
  }
}

TEST(RaftDriverTest, WhatCannotWaitCannotBeVetoed) {
  const Running running;
  const auto vetoable = [&](const Action& action) {
    return running.system.service->Timing(model::Encode(action)).vetoable;
  };
  EXPECT_TRUE(vetoable(ElectionTimeout{}));
  EXPECT_FALSE(vetoable(Heartbeat{}));
  EXPECT_FALSE(vetoable(DiskDone{}));
  EXPECT_FALSE(vetoable(Put{"a", "b"}));
}

}  // namespace
}  // namespace foretell::integration::raft
