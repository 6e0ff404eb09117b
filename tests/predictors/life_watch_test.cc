// What is said of liveness predicates in live cuts, and what is done about it, on the transport
// that MaceMC tells of.

#include "foretell/predictors/life_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "foretell/integration/paxos/family.h"
#include "foretell/integration/randtree/family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/predictors/death_search.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/round_plan.h"
#include "foretell/predictors/views/service_views.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/live_cut.h"

namespace foretell::predictors {
namespace {

using testing::HasSubstr;
using tests::Steps;

constexpr const char* kSmall = "live,messages=2,window=1";

model::System Transport(const std::string& bug, const std::string& scenario = kSmall) {
  return tests::MakeOrDie(integration::transport::Family(), scenario, bug);
}

// The state after the events whose descriptions have these words, the first that fits each.
model::SystemCut After(const model::Service& service, model::SystemCut cut,
                       const std::vector<std::string>& events) {
  for (const std::string& words : events) {
    model::PlainSystem system(service, cut);
    bool found = false;
    for (const model::PathStep& step : system.Enabled()) {
      if (model::Describe(service, step.node, step.event).find(words) == std::string::npos) {
        continue;
      }
      EXPECT_TRUE(system.Apply(step).ok());
      found = true;
      break;
    }
    EXPECT_TRUE(found) << words;
    cut = system.state();
  }
  return cut;
}

model::SystemCut Submitted(const model::System& system) {
  return tests::LiveCut(system).Call(0).cut();
}

LifeForecast Look(const model::System& system, const model::SystemCut& cut, bool exact = true) {
  LifeWatch watch(*system.service, {});
  model::Budget now = Steps(250'000);
  auto forecasts = watch.JudgeCut(cut, exact, now);
  EXPECT_EQ(forecasts.size(), 1u);
  model::Budget ahead = Steps(1'000'000);
  if (exact) watch.LookAhead(system.service->Imagine(cut), forecasts, ahead);
  return forecasts.at(0);
}

std::vector<std::string> Words(const model::Service& service, const model::Path& path) {
  std::vector<std::string> words;
  for (const model::PathStep& step : path) {
    words.push_back(model::Describe(service, step.node, step.event));
  }
  return words;
}

Plan PlanFor(const model::System& system, const model::SystemCut& cut,
             const LifeForecast& forecast) {
  Prediction prediction;
  prediction.spaces = system.service->Imagine(cut);
  prediction.now = {cut, cut, "now"};
  model::Budget budget = Steps(4'000'000);
  auto plan = PlanRound(*system.service, prediction, *forecast.death, {{true, true}, 16}, budget);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *std::move(plan);
}

TEST(LifeWatchTest, TheViewsChangeWhatCanHappenAndNothingElse) {
  const model::System system = Transport("");
  const std::string& idle = system.start.nodes[0].body;
  const model::NodeId sender(0);
  EXPECT_THAT(system.service->Actions(sender, idle), testing::IsEmpty());
  EXPECT_EQ(OpenToCalls(*system.service).Actions(sender, idle),
            system.service->Calls(sender, idle));
  const std::string busy = Submitted(system).nodes[0].body;
  EXPECT_EQ(OpenToCalls(*system.service).Actions(sender, busy),
            system.service->Actions(sender, busy));
  const WithoutFaults well(*system.service);
  EXPECT_EQ(system.service->Actions(sender, busy).size(), 2u) << "a timer and the give-up";
  EXPECT_EQ(well.Actions(sender, busy).size(), 1u);
  EXPECT_EQ(well.faults(model::NodeId(1))[model::FaultKind::kCrash], 0);
}

TEST(LifeWatchTest, WhatHoldsHoldsAndWhatIsOnItsWayRecovers) {
  const model::System system = Transport("");
  EXPECT_EQ(Look(system, system.start).life, Life::kHolds);
  const LifeForecast forecast = Look(system, Submitted(system));
  EXPECT_EQ(forecast.life, Life::kAlive);
  EXPECT_EQ(forecast.steps, 4u) << "two packets and their Acks";
  EXPECT_FALSE(forecast.death) << forecast.death->violation.text;
}

TEST(LifeWatchTest, TheStaleSynIsForeseenWithItsCriticalStepAndItsTwin) {
  const model::System system = Transport("stale-syn");
  const LifeForecast forecast = Look(system, Submitted(system));
  EXPECT_EQ(forecast.life, Life::kAlive);
  ASSERT_TRUE(forecast.death);
  EXPECT_EQ(forecast.faults, 1u) << "the sender gives up";
  const model::Violation& found = forecast.death->violation;
  EXPECT_EQ(found.invariant, "all-acked");
  EXPECT_EQ(
      Words(*system.service, found.path),
      (std::vector<std::string>{"action GiveUp() at node 0",
                                "deliver Data(seq=6001, syn=2, message=1) from node 0 at node 1",
                                "deliver Data(seq=2001, syn=1, message=1) from node 0 at node 1",
                                "deliver Ack(seq=6001) from node 1 at node 0"}));
  ASSERT_NE(found.death, nullptr);
  EXPECT_EQ(found.death->critical_step, 4u);
  EXPECT_TRUE(found.death->proof.checked);
  EXPECT_GT(found.death->twin.size(), 3u);
  EXPECT_FALSE(forecast.complete);
}

TEST(LifeWatchTest, TheFixedTransportIsSilentOnTheSameWay) {
  const model::System system = Transport("");
  model::SystemCut cut = Submitted(system);
  for (const char* event : {"GiveUp", "seq=6001", "seq=2001", "Ack(seq=6001)"}) {
    cut = After(*system.service, cut, {event});
    const LifeForecast forecast = Look(system, cut);
    EXPECT_EQ(forecast.life, Life::kAlive) << event;
    EXPECT_FALSE(forecast.death) << event;
  }
}

TEST(LifeWatchTest, OnceTheSenderHasGivenUpTheStaleSynIsVetoed) {
  const model::System system = Transport("stale-syn");
  const model::SystemCut cut = After(*system.service, Submitted(system), {"GiveUp"});
  const LifeForecast forecast = Look(system, cut);
  ASSERT_TRUE(forecast.death);
  EXPECT_EQ(forecast.faults, 0u);
  const Plan plan = PlanFor(system, cut, forecast);
  ASSERT_EQ(plan.filters.size(), 1u) << plan.text;
  EXPECT_EQ(plan.filters[0].kind, snapshot::FilterKind::kDrop);
  EXPECT_THAT(plan.text, HasSubstr("drop Data(seq=2001, syn=1, message=1) from node 0 at node 1"));
  EXPECT_THAT(plan.text, HasSubstr("all-acked can still come to hold"));
  // Judged by the engine itself, which knows of no plan: with the veto nothing dies by itself.
  const FilteredService steered(*system.service, plan.filters);
  for (const model::Imagined& space : system.service->Imagine(cut)) {
    model::Budget budget = Steps(2'000'000);
    const auto found = SearchForDeath(steered, space, "all-acked", Faults::kNone, budget);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_FALSE(found->path);
    EXPECT_TRUE(found->complete);
  }
}

// To drop the Ack would stop the predicted death, and every delivery with it.
TEST(LifeWatchTest, AVetoThatWouldItselfKillIsNone) {
  const model::System system = Transport("stale-syn");
  const model::SystemCut cut =
      After(*system.service, Submitted(system), {"GiveUp", "seq=6001", "seq=2001"});
  const LifeForecast forecast = Look(system, cut);
  ASSERT_TRUE(forecast.death);
  EXPECT_EQ(Words(*system.service, forecast.death->violation.path),
            std::vector<std::string>{"deliver Ack(seq=6001) from node 1 at node 0"});
  const Plan plan = PlanFor(system, cut, forecast);
  EXPECT_TRUE(plan.filters.empty()) << plan.text;
}

// Else the best plan would be to refuse every call: who sends nothing gives nothing up.
TEST(LifeWatchTest, ADeathThatTakesAFaultIsARiskAndHasNoPlan) {
  const model::System system = Transport("stale-syn");
  for (const model::SystemCut& cut : {system.start, Submitted(system)}) {
    const LifeForecast forecast = Look(system, cut);
    ASSERT_TRUE(forecast.death);
    EXPECT_EQ(forecast.faults, 1u);
    const Plan plan = PlanFor(system, cut, forecast);
    EXPECT_TRUE(plan.filters.empty());
    EXPECT_THAT(plan.text, HasSubstr("it takes a fault"));
  }
}

TEST(LifeWatchTest, WhatIsDeadIsProvedAndCured) {
  const model::System system = Transport("stale-syn");
  const model::SystemCut dead = After(*system.service, Submitted(system),
                                      {"GiveUp", "seq=6001", "seq=2001", "Ack(seq=6001)"});
  const LifeForecast forecast = Look(system, dead);
  EXPECT_EQ(forecast.life, Life::kDead);
  ASSERT_TRUE(forecast.death);
  const model::Violation& found = forecast.death->violation;
  EXPECT_TRUE(found.path.empty());
  EXPECT_TRUE(found.death->proof.checked);
  std::vector<std::string> cures;
  for (const model::Cure& cure : found.death->cures) {
    if (cure.helps()) cures.push_back(cure.text);
  }
  EXPECT_THAT(cures, testing::Contains("restart node 1"));
  EXPECT_THAT(PlanFor(system, dead, forecast).text, HasSubstr("it has happened already"));
}

// Copies of an old packet, lost or not, must not hide the cure.
TEST(LifeWatchTest, ACureIsFoundHoweverMuchIsInFlight) {
  const model::System system = Transport("stale-syn", "live,messages=5,window=1");
  model::SystemCut cut = Submitted(system);
  for (int i = 0; i < 25; ++i) cut.in_flight.push_back(cut.in_flight.front());
  cut = After(*system.service, cut, {"GiveUp", "seq=6001", "Ack(seq=6001)", "seq=2001"});
  const LifeForecast forecast = Look(system, cut);
  ASSERT_EQ(forecast.life, Life::kDead) << forecast.text;
  std::vector<std::string> cures;
  for (const model::Cure& cure : forecast.death->violation.death->cures) {
    if (cure.helps()) cures.push_back(cure.text);
  }
  EXPECT_THAT(cures, testing::Contains("restart node 1"));
}

TEST(LifeWatchTest, OfWhatIsNotKnownOnlyLifeIsSaid) {
  const model::System system = Transport("stale-syn");
  const model::SystemCut dead = After(*system.service, Submitted(system),
                                      {"GiveUp", "seq=6001", "seq=2001", "Ack(seq=6001)"});
  const LifeForecast inexact = Look(system, dead, /*exact=*/false);
  EXPECT_EQ(inexact.life, Life::kUndecided);
  EXPECT_THAT(inexact.text, HasSubstr("what is in flight is not known"));
  EXPECT_FALSE(inexact.death);
  EXPECT_EQ(Look(system, Submitted(system), /*exact=*/false).life, Life::kAlive);
  model::SystemCut partial = dead;
  partial.nodes[1] = {model::NodeStatus::kAbsent, {}, ""};
  partial.in_flight.clear();
  const LifeForecast absent = Look(system, partial, /*exact=*/false);
  EXPECT_EQ(absent.life, Life::kUndecided);
  EXPECT_TRUE(absent.seen) << "node 0 has something unacknowledged, whatever node 1 does";
  EXPECT_FALSE(absent.death);
}

TEST(LifeWatchTest, OfAbsentNodesNobodyKnowsWhetherAllOfThemAgree) {
  const model::System system = tests::MakeOrDie(integration::randtree::Family(), "leaf-resets", "");
  model::SystemCut partial = system.start;
  partial.nodes[1] = {model::NodeStatus::kAbsent, {}, ""};
  model::Budget budget = Steps(250'000);
  const auto forecasts = LifeWatch(*system.service, {}).JudgeCut(partial, /*exact=*/false, budget);
  const auto one_root = std::find_if(forecasts.begin(), forecasts.end(),
                                     [](const auto& f) { return f.property == "one-root"; });
  ASSERT_NE(one_root, forecasts.end());
  EXPECT_EQ(one_root->life, Life::kUndecided);
  EXPECT_FALSE(one_root->seen);
}

TEST(LifeWatchTest, APredicateThatIsOffIsNotLookedAt) {
  const model::System system = Transport("stale-syn");
  EXPECT_TRUE(LifeWatch(*system.service, {"all-acked"}).empty());
  EXPECT_FALSE(LifeWatch(*system.service, {"in-order"}).empty());
}

// Of what is imagined no proposal may be left; but the application can make another.
TEST(LifeWatchTest, NothingIsDeadThatACallBringsBack) {
  const model::System system = tests::MakeOrDie(integration::paxos::Family(), "live", "");
  const LifeForecast forecast = Look(system, tests::LiveLearnedByOne(system));
  EXPECT_EQ(forecast.life, Life::kAlive) << forecast.text;
  EXPECT_FALSE(forecast.death) << forecast.death->violation.text;
}

}  // namespace
}  // namespace foretell::predictors
