// What is said of liveness predicates in live cuts, and what is done about it, on the transport
// that MaceMC tells of.

#include "foretell/predictors/life_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "foretell/integration/paxos/family.h"
#include "foretell/integration/transport/family.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/predictors/filtered_service.h"
#include "foretell/predictors/round_plan.h"
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

TEST(LifeWatchTest, WhatHoldsHoldsAndWhatIsOnItsWayRecovers) {
  const model::System system = Transport("");
  EXPECT_EQ(Look(system, system.start).life, Life::kHolds);
  const LifeForecast forecast = Look(system, Submitted(system));
  EXPECT_EQ(forecast.life, Life::kAlive);
  EXPECT_EQ(forecast.steps, 4u) << "two packets and their Acks";
  EXPECT_FALSE(forecast.death) << forecast.death->violation.text;
}

TEST(LifeWatchTest, Print) {
  const model::System system = Transport("stale-syn");
  for (const auto& events : std::vector<std::vector<std::string>>{{}, {"GiveUp"}, {"GiveUp", "6001"}, {"GiveUp", "6001", "2001"}, {"GiveUp", "6001", "2001", "Ack(seq=6001)"}}) {
    const auto cut = After(*system.service, Submitted(system), events);
    const LifeForecast forecast = Look(system, cut);
    std::cout << "== " << events.size() << " " << LifeName(forecast.life) << " steps " << forecast.steps.value_or(999) << " " << forecast.text << " complete " << forecast.complete << "\n";
    if (!forecast.death) continue;
    const auto& v = forecast.death->violation;
    std::cout << "  death f=" << forecast.faults << " " << v.text << "\n";
    for (auto& w : Words(*system.service, v.path)) std::cout << "    " << w << "\n";
    std::cout << "  twin " << v.death->twin.size() << "\n";
    for (auto& c : v.death->cures) std::cout << "  cure " << c.text << " " << c.helps << " " << c.steps << "\n";
    Prediction prediction;
    prediction.spaces = system.service->Imagine(cut);
    prediction.now = {cut, cut, "now"};
    model::Budget budget = Steps(4'000'000);
    auto plan = PlanRound(*system.service, prediction, *forecast.death, {{true, true}, 16}, budget);
    std::cout << "  plan " << (plan.ok() ? plan->text : std::string(plan.status().message())) << " steps " << budget.steps_taken() << "\n";
  }
}

}  // namespace
}  // namespace foretell::predictors
