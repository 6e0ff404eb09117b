#include "foretell/agent/sidecar/report/stories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""s;

class StoriesTest : public testing::Test {
 protected:
  Alert Predicted() const {
    Alert alert;
    const model::Event crash{model::EventKind::kCrash, model::NodeId(0), ""};
    alert.predicted = {{"agreement", "", {{model::NodeId(0), crash, {}}}}, 0, "lmc"};
    alert.space = &space_;
    return alert;
  }
  Alert Happened(const std::string& value) const {
    Alert alert;
    alert.predicted.violation.invariant = "agreement";
    alert.breakers = {value};
    alert.space = &space_;
    return alert;
  }
  // One round; how many of `alerts` are news.
  size_t Round(std::vector<Alert> alerts, std::chrono::seconds later, bool conclusive = true) {
    now_ += later;
    ++round_;
    return stories_
        .TakeNews(
            std::move(alerts), now_,
            {.round = round_, .cut = 100 + round_, .all_nodes = true, .conclusive = conclusive})
        .size();
  }

  const model::Imagined space_{{}, {}, "the cluster just goes on"};
  Stories stories_;
  UnixTime now_{};
  uint64_t round_ = 0;
};

// Both of them within a minute.
TEST_F(StoriesTest, ASecondViolationIsNotSwallowed) {
  EXPECT_EQ(Round({Happened("nodes 1 and 2")}, 0s), 1u);
  EXPECT_EQ(Round({Happened("nodes 1 and 2")}, 1s), 0u);
  EXPECT_EQ(Round({Happened("nodes 0 and 2")}, 1s), 1u);
}

TEST_F(StoriesTest, WhatBreaksAnewAllTheTimeIsNotAFlood) {
  size_t told = 0;
  for (int i = 0; i < 50; ++i) told += Round({Happened(std::to_string(i))}, 1s);
  EXPECT_EQ(told, Stories::kHappenedMax);
  EXPECT_EQ(Round({Happened("later")}, 61s), 1u);
}

TEST_F(StoriesTest, WhatComesAndGoesIsToldOnce) {
  EXPECT_EQ(Round({Predicted()}, 0s), 1u);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Round({}, 30s), 0u);
    EXPECT_EQ(Round({Predicted()}, 30s), 0u);
  }
  EXPECT_TRUE(stories_.TakeResolved().empty());
}

TEST_F(StoriesTest, ResolvedNamesTheRoundSinceWhichItIsNotReachable) {
  Round({Predicted()}, 0s);
  Round({}, 1s);
  EXPECT_TRUE(stories_.TakeResolved().empty());
  Round({}, 60s);
  const auto resolved = stories_.TakeResolved();
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(resolved[0].text,
            "a violation of agreement is no longer reachable since round 2: if node 0 crashes");
  EXPECT_EQ(resolved[0].verdict, "unreachable");
  EXPECT_EQ(resolved[0].since, 101u);
  EXPECT_EQ(resolved[0].until, 102u);
  EXPECT_EQ(Round({Predicted()}, 1s), 1u) << "then it is news";
}

TEST_F(StoriesTest, WhatWasNotSearchedToTheEndIsNotSaidToBeUnreachable) {
  Round({Predicted()}, 0s);
  Round({}, 1s, /*conclusive=*/false);
  Round({}, 61s, /*conclusive=*/false);
  const auto resolved = stories_.TakeResolved();
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(resolved[0].text,
            "a violation of agreement was not found again since round 2, but searches were cut "
            "short: if node 0 crashes");
  EXPECT_EQ(resolved[0].verdict, "unseen");
}

TEST_F(StoriesTest, WhatHappenedEndsWhenNoCutShowsIt) {
  Round({Happened("nodes 1 and 2")}, 0s);
  Round({}, 1s, /*conclusive=*/false);
  Round({}, 61s, /*conclusive=*/false);
  const auto resolved = stories_.TakeResolved();
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(resolved[0].text, "agreement is no longer violated since round 2: nodes 1 and 2");
  EXPECT_EQ(resolved[0].verdict, "gone");
}

// That is for who follows the cuts: what is not known says nothing (LifeHistory).
TEST_F(StoriesTest, TheDeadAreAliveOnlyWhenSomebodySaysSo) {
  Alert dead = Happened("");
  dead.predicted.violation.death = std::make_shared<model::Death>();
  EXPECT_EQ(Round({dead}, 0s), 1u);
  Round({}, 61s);
  Round({}, 61s);
  EXPECT_TRUE(stories_.TakeResolved().empty());
  EXPECT_EQ(Round({dead}, 1s), 0u);
  stories_.Forget("agreement");
  EXPECT_EQ(Round({dead}, 1s), 1u);
}

}  // namespace
}  // namespace foretell::agent
