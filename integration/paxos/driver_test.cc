#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/integration/paxos/family.h"
#include "foretell/integration/paxos/protocol.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/plain/script.h"

namespace foretell::integration::paxos {
namespace {

using model::EventKind;
using model::NodeId;

// Runs the first call that `node` offers as a live host would, and posts what it sends.
void Call(const model::Service& service, model::SystemCut& cut, uint32_t node) {
  auto live = service.MakeLive(NodeId(node), cut.nodes[node].body);
  const auto calls = live->Calls();
  ASSERT_FALSE(calls.empty());
  const auto result =
      live->Handle({EventKind::kAction, NodeId(0), calls.front()}, [](uint32_t) { return 0u; });
  ASSERT_EQ(result.failure, "");
  cut.nodes[node].body = live->Encode();
  for (const auto& send : result.sends) cut.in_flight.push_back({NodeId(node), send.to, send.body});
}

void DeliverAll(const model::Service& service, model::SystemCut& cut) {
  model::PlainSystem system(service, cut);
  while (!system.state().in_flight.empty()) {
    const model::Message message = system.state().in_flight.front();
    ASSERT_TRUE(
        system.Apply({message.to, {EventKind::kDeliver, message.from, message.body}, {}}).ok());
  }
  cut = system.state();
}

class DriverTest : public testing::Test {
 protected:
  model::System system_ = *Family().Make("live", "");
  const model::Service& service_ = *system_.service;
};

TEST_F(DriverTest, NothingIsImaginedWhereNothingHappened) {
  EXPECT_TRUE(service_.Imagine(system_.start).empty());
}

TEST_F(DriverTest, CallsGoToUnlearnedIndexesFirst) {
  model::SystemCut cut = system_.start;
  Call(service_, cut, 0);
  EXPECT_EQ(service_.RenderAction(service_.Calls(NodeId(0), cut.nodes[0].body).front()),
            "Propose(index=0)");
  DeliverAll(service_, cut);
  EXPECT_EQ(service_.RenderAction(service_.Calls(NodeId(0), cut.nodes[0].body).front()),
            "Propose(index=1)");
  EXPECT_TRUE(service_.Imagine(cut).empty()) << "everybody has learned";
}

// Beyond the last index there is none, and not the first again.
TEST_F(DriverTest, IndexesEnd) {
  Protocol::State state = *model::Decode<Protocol::State>(system_.start.nodes[0].body);
  state.log.At(UINT32_MAX);
  for (const std::string& call : service_.Calls(NodeId(0), model::Encode(state))) {
    EXPECT_NE(service_.RenderAction(call), "Propose(index=0)");
  }
  model::SystemCut cut = system_.start;
  cut.nodes[0].body = model::Encode(state);
  EXPECT_TRUE(service_.Imagine(cut).empty());
  state.log.At(UINT32_MAX - 1);
  cut.nodes[0].body = model::Encode(state);
  EXPECT_FALSE(service_.Imagine(cut).empty());
}

TEST_F(DriverTest, SpacesGrowAndReplayFromTheFullCut) {
  model::SystemCut cut = system_.start;
  for (int round = 0; round < 3; ++round) {
    Call(service_, cut, 0);
    DeliverAll(service_, cut);
  }
  Call(service_, cut, 1);
  const auto spaces = service_.Imagine(cut);
  ASSERT_EQ(spaces.size(), 5u);  // Nobody, each of three, all three.
  EXPECT_EQ(spaces.front().text, "nobody proposes for index 3");
  for (const auto& space : spaces) {
    EXPECT_TRUE(model::ValidateCut(service_, space.cut).ok());
    EXPECT_TRUE(model::ValidateCut(service_, space.focus).ok());
    EXPECT_LT(space.focus.nodes[0].body.size(), space.cut.nodes[0].body.size());
    const auto full = model::PlainSystem(service_, space.cut).Enabled();
    for (const auto& step : model::PlainSystem(service_, space.focus).Enabled()) {
      EXPECT_NE(std::find(full.begin(), full.end(), step), full.end());
    }
  }
}

TEST_F(DriverTest, OldInstancesAreForgotten) {
  model::SystemCut cut = system_.start;
  size_t bytes = 0;
  for (int round = 0; round < 100; ++round) {
    Call(service_, cut, static_cast<uint32_t>(round % 3));
    DeliverAll(service_, cut);
    if (round == 50) bytes = cut.nodes[0].body.size();
  }
  EXPECT_LT(cut.nodes[0].body.size(), bytes + 64);
}

}  // namespace
}  // namespace foretell::integration::paxos
