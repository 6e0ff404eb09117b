#include "foretell/predictors/engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using ::testing::ElementsAre;

TEST(EnginesTest, RowsAreDistinct) {
  std::set<std::string> names = {kKnownPaths};
  std::set<uint32_t> preferences;
  for (const Engine& engine : AllEngines()) {
    EXPECT_TRUE(names.insert(engine.name).second) << engine.name;
    EXPECT_NE(engine.text, "") << engine.name;
    if (engine.preference == 0) {
      EXPECT_FALSE(engine.predicts_by_default) << engine.name;
    } else {
      EXPECT_TRUE(preferences.insert(engine.preference).second) << engine.name;
    }
  }
}

TEST(EnginesTest, PredictorsComeInTheOrderOfTheirPreference) {
  EXPECT_THAT(EngineNames(), ElementsAre("por", "lmc", "consequence", "dir"));
  EXPECT_THAT(DefaultPredictors(), ElementsAre("known", "por", "lmc", "consequence"));
}

TEST(EnginesTest, ThePortfolioIsTheDefaultAndHasTheExhaustiveSearchInIt) {
  EXPECT_EQ(AllEngines().front().name, "portfolio");
  EXPECT_EQ(AllEngines().front().text,
            "lmc, global, por and consequence in turns, and dpor where processes block");
  const std::vector<Engine> members = PortfolioMembers();
  EXPECT_TRUE(std::any_of(members.begin(), members.end(),
                          [](const Engine& engine) { return engine.promises.shortest_paths; }));
  EXPECT_EQ(EngineOptions().assertions, lmc::Assertions::kVerify);
}

// Two: then the race costs twice the better one until the others begin.
TEST(EnginesTest, TwoMembersOfThePortfolioHaveAHeadStart) {
  std::vector<std::string> first;
  for (const Engine& member : PortfolioMembers()) {
    if (member.covers) continue;  // Where processes block there is one more.
    if (member.portfolio_after == std::chrono::milliseconds(0)) first.push_back(member.name);
  }
  EXPECT_THAT(first, ElementsAre("lmc", "global"));
}

// A portfolio in a portfolio would have threads of its own; global search takes too long.
TEST(EnginesTest, OnlyPredictorsPredict) {
  const model::System toy = testing::MakeToy();
  EXPECT_NE(MakeEngine("dir", *toy.service, {}), nullptr);
  for (const char* const name : {"portfolio", "global", "known", ""}) {
    EXPECT_EQ(MakeEngine(name, *toy.service, {}), nullptr) << name;
  }
}

}  // namespace
}  // namespace foretell::predictors
