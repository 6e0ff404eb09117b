#include "foretell/predictors/sliced_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>

#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Outcome;
using model::Report;
using std::chrono::milliseconds;
using Limit = Budget::Limit;

// An engine that is what a test says.
class Scripted final : public model::Explorer {
 public:
  using Script = std::function<Report(Budget&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  absl::StatusOr<Report> Explore(const model::SystemCut&, Budget& budget) override {
    return script_(budget);
  }

 private:
  const Script script_;
};

const Report kOpen{.outcome = Outcome::kBudget};
const Report kComplete{.outcome = Outcome::kNone, .complete = true};
Report Violation(size_t steps) {
  Report report{.outcome = Outcome::kViolation};
  report.violations.push_back({"few", "", model::Path(steps, {model::NodeId(0), {}, {}})});
  return report;
}

class SlicedRaceTest : public ::testing::Test {
 protected:
  // Works so many milliseconds, if it is let, and reports; nothing if it is not.
  Scripted::Script Works(int time, Report report) {
    return [this, time, report](Budget& budget) {
      for (int i = 0; i < time; ++i) {
        ++now_;
        if (!budget.Poll() || !budget.TakeStep()) return kOpen;
      }
      return report;
    };
  }
  void Add(const std::string& name, Scripted::Script script, bool shortest = false) {
    Engine engine{.name = name, .make = [script](const model::Service&, const EngineOptions&) {
                    return std::make_unique<Scripted>(script);
                  }};
    engine.promises.shortest_paths = shortest;
    engine.portfolio_share = 1;
    members_.push_back(std::move(engine));
  }
  Budget Limited(Budget::Limits limits) {
    return Budget(limits, [this] { return Budget::Time{} + milliseconds(now_); });
  }
  Budget Patience() { return Limited({.deadline = Budget::Time{} + milliseconds(100'000)}); }
  std::vector<SlicedRace::Run> Run(const Budget& budget, uint32_t threads = 1) {
    SlicedRaceOptions options;
    options.threads = threads;
    options.worked = [this] { return Budget::Time{} + milliseconds(now_); };
    SlicedRace race(*toy_.service, valid_, members_, options, budget);
    return race.RunAll();
  }

  std::atomic<int> now_ = 0;
  std::vector<Engine> members_;
  const model::System toy_ = testing::MakeToy();
  const model::ValidCut valid_ = *model::ValidCut::Make(*toy_.service, toy_.start);
};

TEST_F(SlicedRaceTest, TheFirstAnswerEndsIt) {
  Add("endless", Works(1'000'000, kOpen));
  Add("quick", Works(10, kComplete));
  Add("slow", Works(1'000'000, kComplete));
  const auto runs = Run(Patience());
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].ended_by, Limit::kTime);
  EXPECT_TRUE(runs[1].report->complete);
  EXPECT_EQ(runs[2].ended_by, Limit::kTime);
  EXPECT_LE(now_, 3 * 10 + 10) << "of a hundred thousand";
}

TEST_F(SlicedRaceTest, WhoIsNotNeededMaySaveItsAnswerButNotAtADeadline) {
  bool abandoned = false;
  Add("endless", [&](Budget& budget) {
    const Report report = Works(1'000'000, kOpen)(budget);
    abandoned = budget.Abandoned();
    return report;
  });
  ASSERT_EQ(Run(Limited({.deadline = Budget::Time{} + milliseconds(50)})).size(), 1u);
  EXPECT_FALSE(abandoned);
  Add("quick", Works(10, kComplete));
  ASSERT_EQ(Run(Patience()).size(), 2u);
  EXPECT_TRUE(abandoned);
}

// One works, one concludes: for as long as that takes, all of the time is its own.
TEST_F(SlicedRaceTest, WhoConcludesIsNotKeptWaiting) {
  Add("endless", Works(1'000'000, kOpen));
  Add("concludes", [this](Budget& budget) {
    static_cast<void>(Works(10, kOpen)(budget));
    budget.Concluding();
    return Works(1'000, kComplete)(budget);
  });
  const auto runs = Run(Patience());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[1].report->complete);
  EXPECT_LE(now_, 2 * 10 + 10 + 1'000);
}

TEST_F(SlicedRaceTest, WhoBeginsLaterBeginsWithinAQuarterOfTheTime) {
  Add("endless", Works(1'000'000, kOpen));
  Add("late", Works(1, kComplete));
  members_[1].portfolio_after = milliseconds(500);
  ASSERT_EQ(Run(Patience()).size(), 2u);
  EXPECT_NEAR(now_, 500, 70) << "a slice more";
  now_ = 0;
  const auto runs = Run(Limited({.deadline = Budget::Time{} + milliseconds(100)}));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[1].report->complete);
  EXPECT_NEAR(now_, 25, 5);
}

TEST_F(SlicedRaceTest, SeveralMayRunAtATime) {
  Add("endless", Works(1'000'000, kOpen));
  Add("quick", Works(10, kComplete));
  Add("slow", Works(1'000'000, kComplete));
  for (const uint32_t threads : {2, 3, 9}) {
    now_ = 0;
    // Who is late may find that it is over.
    const auto runs = Run(Limited({}), threads);
    EXPECT_TRUE(std::any_of(runs.begin(), runs.end(), [](const SlicedRace::Run& run) {
      return run.member == 1 && run.report->complete;
    }));
  }
}

TEST_F(SlicedRaceTest, ASwiftViolationWaitsForTheShortestPath) {
  Add("other", Works(1'000'000, Violation(9)));
  Add("swift", Works(1, Violation(5)));
  Add("shortest", Works(8, Violation(3)), /*shortest=*/true);
  const auto runs = Run(Patience());
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_TRUE(runs[0].report->violations.empty()) << "nobody waits for this one";
  EXPECT_EQ(runs[1].report->violations[0].path.size(), 5u);
  EXPECT_EQ(runs[2].report->violations[0].path.size(), 3u);
}

TEST_F(SlicedRaceTest, ButNotForLong) {
  Add("swift", Works(1, Violation(5)));
  Add("shortest", Works(1'000'000, Violation(3)), /*shortest=*/true);
  const auto runs = Run(Patience());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].ended_by, Limit::kTime);
  EXPECT_LE(now_, SlicedRace::kShortestWait.count() + 5);
}

TEST_F(SlicedRaceTest, AServiceThatThrowsEndsIt) {
  Add("endless", Works(1'000'000, kOpen));
  Add("throws", [](Budget&) -> Report { throw std::runtime_error("no projection"); });
  const auto runs = Run(Patience());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_THAT(std::string(runs[1].report.status().message()),
              ::testing::HasSubstr("no projection"));
  EXPECT_LT(now_, 10);
}

TEST_F(SlicedRaceTest, ADeadlineEndsItForThoseWhoWait) {
  for (int i = 0; i < 4; ++i) Add("endless", Works(1'000'000, kOpen));
  const auto runs = Run(Limited({.deadline = Budget::Time{} + milliseconds(200)}));
  ASSERT_EQ(runs.size(), 4u);
  for (const auto& run : runs) EXPECT_EQ(run.ended_by, Limit::kTime);
  EXPECT_LT(now_, 210);
  EXPECT_TRUE(Run(Limited({.deadline = Budget::Time{}})).empty()) << "over before it began";
}

TEST_F(SlicedRaceTest, MemoryThatIsGivenBackGoesToThoseThatAreLeft) {
  const auto holds = [this](int time, uint64_t bytes) {
    return [this, time, bytes](Budget& budget) {
      const Report report = Works(time, kOpen)(budget);
      budget.HoldBytes(bytes);
      return report;
    };
  };
  Add("first", holds(10, 26));
  Add("second", holds(20, 33));
  Add("third", holds(30, 51));
  Add("last", holds(40, 100));
  const auto runs = Run(Limited({.bytes_max = 100}));
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[0].ended_by, Limit::kMemory) << "a quarter is 25";
  EXPECT_EQ(runs[1].ended_by, Limit::kNone) << "a third is 33";
  EXPECT_EQ(runs[2].ended_by, Limit::kMemory) << "a half is 50";
  EXPECT_EQ(runs[3].ended_by, Limit::kNone);
}

TEST_F(SlicedRaceTest, WithStepsNothingDependsOnThreads) {
  Add("quick", Works(10, kComplete));
  Add("found", Works(20, Violation(2)));
  Add("endless", Works(1'000'000, kOpen));
  Add("hungry", [](Budget& budget) {
    budget.HoldBytes(26);
    return kOpen;
  });
  for (const uint32_t threads : {1, 2, 4}) {
    Budget budget = Limited({.steps_max = 400, .bytes_max = 100});
    SlicedRaceOptions options;
    options.threads = threads;
    options.worked = [this] { return Budget::Time{} + milliseconds(now_); };
    SlicedRace race(*toy_.service, valid_, members_, options, budget);
    const auto runs = race.RunAll();
    ASSERT_EQ(runs.size(), 4u);
    EXPECT_TRUE(runs[0].report->complete);
    EXPECT_EQ(runs[1].report->violations.size(), 1u);
    EXPECT_EQ(runs[2].ended_by, Limit::kSteps);
    EXPECT_EQ(runs[3].ended_by, Limit::kMemory) << "of equal parts, whoever has ended";
    race.Charge(budget);
    EXPECT_EQ(budget.steps_taken(), 10u + 20u + 100u);
  }
}

}  // namespace
}  // namespace foretell::predictors
