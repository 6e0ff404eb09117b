#include "foretell/predictors/portfolio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "foretell/model/forwarding_service.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using ::testing::HasSubstr;
using testing::MakeToy;
using testing::Steps;
using testing::ToyProtocol;

// A driver that sees a token which is not there.
class LyingDriver final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    model::SystemCut focus = live;
    const std::string body = model::Encode(testing::Token{});
    focus.in_flight.assign(2, {model::NodeId(0), model::NodeId(1), body});
    for (model::NodeState& node : focus.nodes) node.body = InitialState(model::NodeId(1));
    model::SystemCut cut = live;
    for (model::NodeState& node : cut.nodes) node.body = InitialState(model::NodeId(1));
    return {{cut, focus, "two tokens"}};
  }
};

class Throwing final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  Key Project(size_t invariant, NodeId node, const std::string& state) const override {
    if (state != InitialState(node)) throw std::runtime_error("no projection");
    return model::ForwardingService::Project(invariant, node, state);
  }
};

// A driver whose second space is no cut of the service.
class WildDriver final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    model::SystemCut wild = live;
    wild.nodes[0].body = "no state of anybody";
    return {{live, live, "all goes on"}, {live, wild, "all goes wild"}};
  }
};

class CountingService final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  bool ValidState(const std::string& state) const override {
    ++looks;
    return model::ForwardingService::ValidState(state);
  }
  mutable std::atomic<int> looks = 0;
};

absl::StatusOr<Prediction> Predict(const model::Service& service, const model::SystemCut& live,
                                   PortfolioOptions options = {}) {
  auto portfolio = Portfolio::Make(service, std::move(options));
  EXPECT_TRUE(portfolio.ok()) << portfolio.status();
  return (*portfolio)->Predict(live, Steps(100'000));
}

TEST(PortfolioUnitTest, RefusesUnknownEnginesAndForeignCuts) {
  const model::System toy = MakeToy();
  const auto unknown = Portfolio::Make(*toy.service, {.engines = {"por", "prophecy"}});
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("prophecy"));
  EXPECT_FALSE(Portfolio::Make(*toy.service, {.threads = 0}).ok());
  EXPECT_FALSE(Predict(*toy.service, {}).ok());
}

TEST(PortfolioUnitTest, WhatTheCutDoesNotConfirmIsNotReported) {
  const model::System toy = MakeToy();
  const LyingDriver service(*toy.service);
  const auto prediction = Predict(service, toy.start);
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  EXPECT_TRUE(prediction->predicted.empty());
  ASSERT_EQ(prediction->rejected.size(), 3u) << "once for each engine";
  for (const RejectedClaim& claim : prediction->rejected) {
    EXPECT_EQ(claim.invariant, "few");
    EXPECT_EQ(claim.space, 0u);
    EXPECT_NE(claim.reason, "");
  }
}

TEST(PortfolioUnitTest, ASpaceThatIsNoneIsTheDriversFaultAndNoStart) {
  const model::System toy = MakeToy();
  const WildDriver service(*toy.service);
  const auto prediction = Predict(service, toy.start, {.engines = {"por"}});
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  ASSERT_EQ(prediction->predicted.size(), 1u);
  EXPECT_EQ(prediction->predicted[0].space, 0u);
  ASSERT_EQ(prediction->runs.size(), 2u);
  EXPECT_EQ(prediction->runs[0].engine, kDriver);
  EXPECT_EQ(prediction->runs[0].space, 1u);
  EXPECT_EQ(prediction->runs[0].status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(prediction->runs[1].engine, "por");
  EXPECT_EQ(prediction->complete_spaces, 1u) << "of two";
}

TEST(PortfolioUnitTest, EveryCutIsLookedAtOnce) {
  const model::System toy = MakeToy();
  const CountingService service(*toy.service);
  const auto portfolio = Portfolio::Make(
      service, {.engines = {"known", "por"}, .threads = 1, .ignored = {model::kLocalAssertions}});
  ASSERT_TRUE(portfolio.ok()) << portfolio.status();
  ASSERT_TRUE((*portfolio)->Predict(toy.start, Steps(100'000)).ok());
  // The path is known now, and there is nothing else to look for: no engine runs.
  service.looks = 0;
  const auto prediction = (*portfolio)->Predict(toy.start, Steps(100'000));
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  ASSERT_EQ(prediction->predicted.size(), 1u);
  EXPECT_EQ(prediction->predicted[0].engine, "known");
  // Two nodes in the live cut, in the one space's cut, and in its focus.
  EXPECT_EQ(service.looks, 2 * 3);
}

TEST(PortfolioUnitTest, AServiceThatThrowsEndsItsRunsOnly) {
  const model::System toy = MakeToy();
  const Throwing service(*toy.service);
  const auto prediction = Predict(service, toy.start);
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  ASSERT_EQ(prediction->runs.size(), 3u);
  for (const EngineRun& run : prediction->runs) {
    EXPECT_THAT(std::string(run.status.message()), HasSubstr("no projection")) << run.engine;
  }
}

TEST(PortfolioUnitTest, GoesOnToOtherInvariants) {
  // The second token breaks the assertion; "few" is broken by the first.
  const model::System toy = MakeToy({.got_max = 0, .asserts = true});
  const auto prediction = Predict(*toy.service, toy.start);
  ASSERT_TRUE(prediction.ok()) << prediction.status();
  ASSERT_EQ(prediction->predicted.size(), 2u);
  EXPECT_EQ(prediction->predicted[0].violation.invariant, "few");
  EXPECT_EQ(prediction->predicted[0].violation.path.size(), 2u);
  EXPECT_EQ(prediction->predicted[1].violation.invariant, model::kLocalAssertions);
}

TEST(PortfolioUnitTest, IgnoredAssertionsDoNotHideInvariants) {
  const model::System toy = MakeToy({.asserts = true});
  const auto all = Predict(*toy.service, toy.start);
  ASSERT_TRUE(all.ok());
  ASSERT_EQ(all->predicted.size(), 1u) << "a failed node is not looked at";
  const auto ignored = Predict(*toy.service, toy.start, {.ignored = {model::kLocalAssertions}});
  ASSERT_TRUE(ignored.ok());
  EXPECT_TRUE(ignored->predicted.empty());
  EXPECT_EQ(ignored->complete_spaces, 1u);
}

TEST(PortfolioUnitTest, ASpentBudgetStillLooksAtTheCut) {
  const model::System toy = MakeToy();
  model::SystemCut bad = toy.start;
  bad.nodes[1].body = model::Encode(ToyProtocol::State{.got = 7});
  auto portfolio = *Portfolio::Make(*toy.service, {});
  const auto prediction = portfolio->Predict(bad, Steps(0));
  ASSERT_TRUE(prediction.ok());
  ASSERT_EQ(prediction->predicted.size(), 1u);
  EXPECT_EQ(prediction->predicted[0].engine, kLiveCut);
  EXPECT_TRUE(prediction->runs.empty());
}

TEST(PortfolioUnitTest, WithoutStepsTheFirstToCoverASpaceIsEnough) {
  const model::System toy = MakeToy();
  const auto prediction = (*Portfolio::Make(*toy.service, {.threads = 1}))
                              ->Predict(toy.start, model::Budget::Unlimited());
  ASSERT_TRUE(prediction.ok());
  ASSERT_EQ(prediction->predicted.size(), 1u);
  // por goes on to the end without "few" and covers the space; nobody else is needed.
  ASSERT_EQ(prediction->runs.size(), 1u);
  EXPECT_TRUE(prediction->runs[0].report.complete);
}

}  // namespace
}  // namespace foretell::predictors
