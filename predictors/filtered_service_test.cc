#include "foretell/predictors/filtered_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using model::EventKind;
using model::NodeId;
using testing::Cause;
using testing::MakeToy;
using testing::Steps;
using testing::Token;
using testing::ToyProtocol;

snapshot::Filter OnAction(Cause cause) {
  snapshot::Filter filter;
  filter.event = {EventKind::kAction, NodeId(0), model::Encode(ToyProtocol::Action{cause})};
  return filter;
}

snapshot::Filter OnToken(Cause cause) {
  snapshot::Filter filter;
  filter.node = NodeId(1);
  filter.event = {EventKind::kDeliver, NodeId(0), model::Encode(Token{cause})};
  return filter;
}

TEST(FilteredServiceTest, VetoedActionsAreNotEnabled) {
  const model::System toy = MakeToy();
  const FilteredService filtered(*toy.service, {OnAction(Cause::kTimer)});
  const std::string& state = toy.start.nodes[0].body;
  EXPECT_EQ(filtered.Actions(NodeId(0), state).size(), 1u);
  EXPECT_EQ(filtered.Calls(NodeId(0), state).size(), 1u);
  EXPECT_EQ(FilteredService(*toy.service, {OnAction(Cause::kAsked)}).Calls(NodeId(0), state).size(),
            0u);
  snapshot::Filter elsewhere = OnAction(Cause::kTimer);
  elsewhere.node = NodeId(1);
  EXPECT_EQ(FilteredService(*toy.service, {elsewhere}).Actions(NodeId(0), state).size(), 2u);
}

TEST(FilteredServiceTest, VetoedDeliveriesDoNothing) {
  const model::System toy = MakeToy();
  const FilteredService filtered(*toy.service, {OnToken(Cause::kAsked)});
  const model::Event vetoed = OnToken(Cause::kAsked).event;
  const model::Event other = OnToken(Cause::kTimer).event;
  const std::string& state = toy.start.nodes[1].body;
  const auto run = [&](const model::Service& service, std::vector<model::Event> events) {
    return service.Run(NodeId(1), state, events, {}).state;
  };
  EXPECT_EQ(run(filtered, {vetoed}), state);
  EXPECT_EQ(run(filtered, {other}), run(*toy.service, {other}));
  EXPECT_EQ(run(filtered, {vetoed, other}), run(*toy.service, {other}));
  EXPECT_EQ(run(filtered, {other, vetoed}), run(*toy.service, {other}));
  EXPECT_EQ(run(filtered, {vetoed, vetoed}), state);
}

TEST(FilteredServiceTest, EnginesAgreeOnWhatIsLeft) {
  const model::System toy = MakeToy();
  const FilteredService none(*toy.service, {});
  const FilteredService drop(*toy.service, {OnToken(Cause::kAsked)});
  for (const std::string& name : EngineNames()) {
    model::Budget budget = Steps(10'000);
    EXPECT_EQ(MakeEngine(name, none, {})->Explore(toy.start, budget)->outcome,
              model::Outcome::kViolation);
    const auto report = MakeEngine(name, drop, {})->Explore(toy.start, budget);
    EXPECT_TRUE(report->violations.empty()) << name;
    EXPECT_EQ(report->complete, name != "consequence") << name;
  }
}

}  // namespace
}  // namespace foretell::predictors
