// Engine `live` against a naive judge over the explicit graph of random services, losses and
// duplicates included. FORETELL_LIVENESS_COUNT judges more than the usual 2,000.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/naive_liveness.h"
#include "foretell/tests/liveness/disguise.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::LivenessVerdict;
using search::NaiveLivenessResult;

constexpr uint64_t kShards = 8;
constexpr uint64_t kSeedsPerShard = 1'000'000;
constexpr uint64_t kStatesMax = 600;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_LIVENESS_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 2'000 : count;
}

struct Tally {
  uint64_t judged = 0;
  uint64_t dead = 0;
  uint64_t by_loss = 0;
  uint64_t start_dead = 0;
  uint64_t live = 0;
  uint64_t open = 0;
};

// One service, one predicate, one judge.
class Trial {
 public:
  Trial(const model::Service& service, const model::SystemCut& start, model::CountOn count_on)
      : service_(service), start_(start), count_on_(count_on) {}

  void Run(Tally& tally) {
    search::NaiveLivenessOptions options{.states_max = kStatesMax, .count_on = count_on_};
    truth_ = NaiveLiveness(service_, start_, 0, options);
    if (!truth_.finished) return;
    options.copies_max = 1 + service_.network().duplicates_max;
    capped_ = NaiveLiveness(service_, start_, 0, options).capped > 0;
    ++tally.judged;
    Judge(Explore(/*all=*/false), /*all=*/false, &tally);
    Judge(Explore(/*all=*/true), /*all=*/true, nullptr);
  }

 private:
  model::Report Explore(bool all) {
    search::LiveOptions options;
    options.property = Disguise::kName;
    options.count_on = count_on_;
    options.all_invariants = all;
    model::Budget budget = Steps(10'000'000);
    auto report = search::MakeLiveExplorer(service_, options)->Explore(start_, budget);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : model::Report{};
  }

  void Judge(const model::Report& report, bool all, Tally* tally) {
    ASSERT_NE(report.liveness, nullptr);
    switch (report.liveness->verdict) {
      case LivenessVerdict::kLive:
        EXPECT_TRUE(report.complete);
        EXPECT_TRUE(truth_.dead.empty());
        EXPECT_TRUE(truth_.dead_by_loss.empty());
        if (tally) ++tally->live;
        return;
      case LivenessVerdict::kDead:
      case LivenessVerdict::kStartDead:
        ASSERT_EQ(report.violations.size(), 1u);
        EXPECT_EQ(report.liveness->verdict == LivenessVerdict::kStartDead, truth_.start_dead);
        if (tally) Count(*report.violations[0].death, *tally);
        JudgeDeath(report.violations[0]);
        if (all && !capped_) JudgeAll(report);
        return;
      default:
        // Only what nodes send again and again without end may stay open.
        EXPECT_TRUE(capped_) << report.liveness->text;
        if (tally) ++tally->open;
    }
  }

  static void Count(const model::Death& death, Tally& tally) {
    ++tally.dead;
    if (death.by_loss) ++tally.by_loss;
    if (IsOfStart(death)) ++tally.start_dead;
  }

  model::SystemCut After(const model::Path& path) {
    const auto steps = model::Replay(service_, start_, path);
    EXPECT_TRUE(steps.ok()) << steps.status();
    const model::SystemCut end = !steps.ok() || steps->empty() ? start_ : steps->back().after;
    return model::PlainSystem(service_, end).Canonical();
  }

  void JudgeDeath(const model::Violation& violation) {
    const model::Death& death = *violation.death;
    EXPECT_TRUE(death.proof.checked);
    EXPECT_EQ(death.critical_step, violation.path.size());
    const model::SystemCut end = After(violation.path);
    if (death.by_loss) {
      EXPECT_FALSE(truth_.dead.contains(end));
      EXPECT_FALSE(death.lost.empty());
      model::SystemCut emptied = end;
      emptied.in_flight.clear();
      EXPECT_TRUE(truth_.dead_by_loss.contains(emptied));
      JudgeTwin(violation);
      return;
    }
    EXPECT_TRUE(truth_.dead.contains(end));
    if (violation.path.empty()) return;
    EXPECT_FALSE(
        truth_.dead.contains(After(model::Path(violation.path.begin(), violation.path.end() - 1))))
        << "the critical step came earlier";
    JudgeTwin(violation);
  }

  // From an alive state there is a way; the twin is the same path up to there and then lives.
  void JudgeTwin(const model::Violation& violation) {
    const model::Path& twin = violation.death->twin;
    const size_t shared = SharedSteps(*violation.death);
    EXPECT_EQ(shared, violation.path.size() - (violation.death->by_loss ? 0 : 1));
    ASSERT_GE(twin.size(), shared);
    EXPECT_TRUE(std::equal(twin.begin(), twin.begin() + static_cast<std::ptrdiff_t>(shared),
                           violation.path.begin()));
    EXPECT_TRUE(model::PlainSystem(service_, After(twin)).Culprits(Disguise::kName).empty());
  }

  // A search that went on to the end knows all of it.
  void JudgeAll(const model::Report& report) {
    EXPECT_EQ(report.liveness->dead, truth_.dead.size());
    const model::Violation& violation = report.violations[0];
    if (violation.death->by_loss) {
      EXPECT_TRUE(truth_.dead.empty());
      EXPECT_EQ(violation.path.size(), truth_.to_dead_by_loss.size());
      return;
    }
    if (violation.path.empty()) {
      EXPECT_TRUE(truth_.start_dead);
      return;
    }
    ASSERT_FALSE(truth_.kinds.empty());
    EXPECT_EQ(violation.path.size(), truth_.kinds[0].path.size());
    uint64_t found = 0;
    uint64_t there = 0;
    for (const model::CriticalKind& kind : violation.death->kinds) found += kind.transitions;
    for (const model::CriticalKind& kind : truth_.kinds) there += kind.transitions;
    EXPECT_EQ(found, there);
  }

  const model::Service& service_;
  const model::SystemCut& start_;
  const model::CountOn count_on_;
  NaiveLivenessResult truth_;
  bool capped_ = false;
};

// Its start is dead, and a fault revives it. A search that had just enough steps to find another
// death, seven steps further, told of that one.
TEST(LivenessBoundTest, AStartThatIsDeadComesFirstWhateverTheBudget) {
  constexpr uint64_t kSeed = 3'000'205;
  const model::System system = integration::MakeRandomSystem(integration::RandomSpec(kSeed));
  const size_t invariant = kSeed % system.service->invariants().size();
  const Disguise service(*system.service, invariant, /*turned=*/true, kSeed);
  search::LiveOptions options;
  options.property = Disguise::kName;
  options.count_on = model::CountOn::kCalls;
  for (uint64_t steps = 1'000; steps <= 40'000; steps += 500) {
    SCOPED_TRACE(steps);
    model::Budget budget = Steps(steps);
    const auto report = search::MakeLiveExplorer(service, options)->Explore(system.start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->liveness->verdict, LivenessVerdict::kStartDead);
  }
}

// Whether there was an invariant to turn into a predicate.
bool JudgeSeed(uint64_t seed, Tally& tally) {
  SCOPED_TRACE(seed);
  const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
  if (system.service->invariants().empty()) return false;
  const size_t invariant = seed % system.service->invariants().size();
  const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
  Trial(service, system.start, seed % 3 == 0 ? model::CountOn::kHelpful : model::CountOn::kCalls)
      .Run(tally);
  return true;
}

TEST(LivenessSeedsTest, NoCriticalStepIsTooLate) {
  Tally tally;
  for (const uint64_t seed : {2'000'778, 4'001'846}) EXPECT_TRUE(JudgeSeed(seed, tally));
  EXPECT_EQ(tally.dead, 2u);
}

class LivenessDifferentialTest : public testing::TestWithParam<uint64_t> {};

TEST_P(LivenessDifferentialTest, EngineLiveAgreesWithTheNaiveJudge) {
  Tally tally;
  const uint64_t wanted = (Count() + kShards - 1) / kShards;
  for (uint64_t seed = 1 + GetParam() * kSeedsPerShard; tally.judged < wanted; ++seed) {
    JudgeSeed(seed, tally);
    if (HasFailure()) return;
  }
  // What cannot be wrong is not tested: there must be some of each.
  EXPECT_GT(tally.dead, wanted / 20);
  EXPECT_GT(tally.live, wanted / 20);
  EXPECT_GT(tally.start_dead, 0u);
  if (wanted >= 200) {
    EXPECT_GT(tally.by_loss, 0u);
  }
  RecordProperty("judged", std::to_string(tally.judged));
  RecordProperty("dead", std::to_string(tally.dead));
  RecordProperty("by_loss", std::to_string(tally.by_loss));
  RecordProperty("open", std::to_string(tally.open));
}

INSTANTIATE_TEST_SUITE_P(Shard, LivenessDifferentialTest, testing::Range(uint64_t{0}, kShards));

}  // namespace
}  // namespace foretell::tests
