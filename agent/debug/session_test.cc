#include "foretell/agent/debug/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/debug/testing/toy_session.h"

namespace foretell::agent {
namespace {

using testing::HasSubstr;

TEST(SessionTest, KeepsTheStateBehindEveryStep) {
  Debugged debugged(ToySubject());
  Session& session = debugged.session();
  const auto replayed = model::Replay(session.service(), session.subject().start, ToyPath());
  ASSERT_TRUE(replayed.ok());
  EXPECT_EQ(session.state(), session.subject().start);
  for (size_t step = 1; step <= replayed->size(); ++step) {
    ASSERT_TRUE(session.JumpTo(step).ok());
    EXPECT_EQ(session.state(), (*replayed)[step - 1].after) << step;
  }
}

TEST(SessionTest, RefusesAStepOutOfRangeWithBothValues) {
  Debugged debugged(ToySubject());
  EXPECT_EQ(debugged.session().JumpTo(9).message(), "there is no step 9, path ends with step 8");
  EXPECT_EQ(debugged.session().at().step, 0u);
}

TEST(SessionTest, RefusesAPathThatDoesNotReplay) {
  Subject subject = ToySubject();
  subject.path.erase(subject.path.begin());
  const auto session = Session::Begin(std::move(subject), nullptr);
  EXPECT_THAT(std::string(session.status().message()), HasSubstr("step 2 of 7: deliver Ask"));
}

TEST(SessionTest, RefusesATwinThatDoesNotReplay) {
  Subject subject = DeadSubject();
  model::Death death = *subject.death;
  death.twin.erase(death.twin.begin());
  subject.death = std::make_shared<const model::Death>(death);
  const auto session = Session::Begin(std::move(subject), nullptr);
  EXPECT_THAT(std::string(session.status().message()), HasSubstr("twin: step 1 of 4"));
}

TEST(SessionTest, TakesTheSameWayWithoutABranch) {
  Debugged debugged(ToySubject());
  Session& session = debugged.session();
  ASSERT_TRUE(session.Take(ToyPath()[0]).ok());
  EXPECT_EQ(session.tracks().size(), 1u);
  EXPECT_EQ(session.at().step, 1u);
}

// Branches replay, and what was recorded stays as it is.
TEST(SessionTest, EveryBranchReplaysAndLeavesThePathAlone) {
  Debugged debugged(ToySubject());
  Session& session = debugged.session();
  for (size_t step = 0; step <= ToyPath().size(); ++step) {
    ASSERT_TRUE(session.Use("path").ok());
    ASSERT_TRUE(session.JumpTo(step).ok());
    for (const model::PathStep& next : session.system().Enabled()) {
      ASSERT_TRUE(session.Use("path").ok());
      ASSERT_TRUE(session.JumpTo(step).ok());
      ASSERT_TRUE(session.Take(next).ok());
      EXPECT_EQ(session.at().step, step + 1);
      EXPECT_EQ(session.execution().StepAt(step + 1), next);
    }
  }
  EXPECT_EQ(session.tracks()[0].execution.path(), ToyPath());
  for (const Track& track : session.tracks()) {
    const auto replayed =
        model::Replay(session.service(), session.subject().start, track.execution.path());
    ASSERT_TRUE(replayed.ok()) << track.name;
    EXPECT_EQ(replayed->back().after, track.execution.At(track.execution.steps()));
  }
}

TEST(SessionTest, ABranchGrowsAtItsEnd) {
  Debugged debugged(ToySubject());
  Session& session = debugged.session();
  ASSERT_TRUE(session.JumpTo(1).ok());
  ASSERT_TRUE(session.Take(ToyPath()[2]).ok());  // The crash of node 2 comes later.
  EXPECT_EQ(session.track().name, "branch-1");
  ASSERT_TRUE(session.Take(ToyPath()[1]).ok());
  EXPECT_EQ(session.track().name, "branch-1");
  EXPECT_EQ(session.execution().steps(), 3u);
  EXPECT_EQ(session.tracks().size(), 2u);
}

TEST(SessionTest, RefusesABranchThatIsNotEnabled) {
  Debugged debugged(ToySubject());
  const absl::Status refused = debugged.session().Take(ToyPath()[2]);
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("not in flight"));
  EXPECT_EQ(debugged.session().tracks().size(), 1u);
  EXPECT_EQ(debugged.session().at().step, 0u);
}

TEST(SessionTest, ReadsPlaces) {
  Debugged debugged(DeadSubject());
  Session& session = debugged.session();
  ASSERT_TRUE(session.JumpTo(1).ok());
  const auto at = [&](const std::string& word) {
    const auto place = session.ReadPlace(word);
    EXPECT_TRUE(place.ok()) << place.status();
    return std::pair(place->track, place->step);
  };
  EXPECT_EQ(at("3"), std::pair(size_t{0}, size_t{3}));
  EXPECT_EQ(at("end"), std::pair(size_t{0}, size_t{3}));
  EXPECT_EQ(at("twin"), std::pair(size_t{1}, size_t{1}));
  EXPECT_EQ(at("twin:end"), std::pair(size_t{1}, size_t{5}));
  EXPECT_EQ(at("twin:critical"), std::pair(size_t{1}, size_t{2}));
  EXPECT_EQ(session.ReadPlace("twn:1").status().message(),
            "unknown execution 'twn': did you mean 'twin'? known: path, twin");
  EXPECT_EQ(session.ReadPlace("twin:6").status().message(),
            "there is no step 6, twin ends with step 5");
  for (const char* bad : {"", ":", "twin:", "-1", "1x", "99999999999999999999", "twin:-1"}) {
    EXPECT_FALSE(session.ReadPlace(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace foretell::agent
