// Fates of recorded cuts, and verdicts under any weights, on random services.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/liveness/event_counts.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/naive_liveness.h"
#include "foretell/search/prefixes/prefix_search.h"
#include "foretell/tests/liveness/disguise.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::CutFate;

constexpr uint64_t kWanted = 150;
constexpr uint64_t kStatesMax = 400;

// Calls `judge(service, start, seed)`, which says whether it was of use, until enough were.
template <class Judge>
void ForRandomServices(Judge judge) {
  uint64_t judged = 0;
  for (uint64_t seed = 90'000'000; judged < kWanted; ++seed) {
    SCOPED_TRACE(seed);
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    if (system.service->invariants().empty()) continue;
    const size_t invariant = seed % system.service->invariants().size();
    const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
    judged += judge(service, system.start, seed) ? 1 : 0;
    if (testing::Test::HasFailure()) return;
  }
}

// The cuts of a run of random steps.
std::vector<model::SystemCut> RandomRun(const model::Service& service,
                                        const model::SystemCut& start, uint64_t seed) {
  std::mt19937_64 random(seed);
  model::PlainSystem plain(service, start);
  std::vector<model::SystemCut> cuts = {start};
  for (int i = 0; i < 12; ++i) {
    const auto steps = plain.Enabled();
    if (steps.empty()) break;
    if (!plain.Apply(steps[random() % steps.size()]).ok()) break;
    cuts.push_back(plain.state());
  }
  return cuts;
}

TEST(RecordedFatesTest, AreThoseOfTheNaiveJudge) {
  uint64_t dead = 0;
  uint64_t alive = 0;
  ForRandomServices([&](const Disguise& service, const model::SystemCut& start, uint64_t seed) {
    const auto truth = search::NaiveLiveness(service, start, 0, {.states_max = kStatesMax});
    if (!truth.finished) return false;
    search::LiveOptions options;
    options.property = Disguise::kName;
    search::PrefixSearch prefixes(service, 0, options);
    model::Budget budget = Steps(5'000'000);
    const auto cuts = RandomRun(service, start, seed);
    const auto found = prefixes.Recorded(cuts, budget);
    EXPECT_TRUE(found.ok()) << found.status();
    for (size_t i = 0; i < cuts.size(); ++i) {
      const bool is_dead = truth.dead.contains(model::PlainSystem(service, cuts[i]).Canonical());
      const CutFate fate = prefixes.fates()[i];
      EXPECT_NE(fate, is_dead ? CutFate::kRecovers : CutFate::kDead) << "cut " << i;
      EXPECT_FALSE(is_dead && fate == CutFate::kLive) << "cut " << i;
      dead += fate == CutFate::kDead ? 1 : 0;
      alive += fate == CutFate::kRecovers ? 1 : 0;
    }
    return true;
  });
  EXPECT_GT(dead, 10u);
  EXPECT_GT(alive, 10u);
}

// Only how fast it is may depend on weights, and on the seed.
TEST(WeightsTest, NoVerdictDependsOnThem) {
  uint64_t deaths = 0;
  ForRandomServices([&](const Disguise& service, const model::SystemCut& start, uint64_t seed) {
    if (!search::NaiveLiveness(service, start, 0, {.states_max = kStatesMax}).finished)
      return false;
    const auto explore = [&](model::Weights weights, uint64_t walks_seed) {
      search::LiveOptions options;
      options.property = Disguise::kName;
      options.all_invariants = true;
      options.weights = std::move(weights);
      options.seed = walks_seed;
      model::Budget budget = Steps(10'000'000);
      const auto report = search::MakeLiveExplorer(service, options)->Explore(start, budget);
      EXPECT_TRUE(report.ok()) << report.status();
      return report.ok() ? *report : model::Report{};
    };
    const model::Report usual = explore({}, 1);
    deaths += usual.violations.size();
    for (const model::Weights& weights :
         {model::Weights{1, 1, 1, 64}, model::Weights{0, 1, 0, 0}, model::Weights{64, 1, 1, 1},
          model::Weights{.measured = {{"deliver", 1}, {"timer", 64}, {"call", 7}}}}) {
      const model::Report other = explore(weights, seed);
      EXPECT_EQ(other.liveness->verdict, usual.liveness->verdict);
      EXPECT_EQ(other.liveness->dead, usual.liveness->dead);
      EXPECT_EQ(other.complete, usual.complete);
      EXPECT_EQ(other.violations.size(), usual.violations.size());
      if (other.violations.empty() || usual.violations.empty()) continue;
      EXPECT_EQ(other.violations[0].path, usual.violations[0].path);
    }
    return true;
  });
  EXPECT_GT(deaths, 10u);
}

}  // namespace
}  // namespace foretell::tests
