// Fair cycles of random services against a naive judge over the explicit graph, for every kind of
// fairness. FORETELL_FAIRNESS_COUNT judges more than the usual 250 of each.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/search/fairness/lasso_check.h"
#include "foretell/search/fairness/lasso_search.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/recovery/certificate.h"
#include "foretell/search/recovery/property_view.h"
#include "foretell/search/recovery/recovery_moves.h"
#include "foretell/tests/liveness/disguise.h"
#include "foretell/tests/liveness/naive_fairness.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::CountOn;
using model::Fairness;
using model::LivenessVerdict;

constexpr uint64_t kStatesMax = 150;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_FAIRNESS_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 250 : count;
}

struct Tally {
  uint64_t judged = 0;
  uint64_t cycles = 0;    // Services that have one, dead or not.
  uint64_t verdicts = 0;  // Those in which nothing is dead.
};

model::Report Explore(const model::Service& service, const model::SystemCut& start,
                      CountOn count_on, Fairness fairness) {
  search::LiveOptions options;
  options.property = Disguise::kName;
  options.count_on = count_on;
  options.fairness = fairness;
  model::Budget budget = Steps(10'000'000);
  auto report = search::MakeLiveExplorer(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : model::Report{};
}

// A cycle stands its check, and not as something else.
void JudgeCycle(const model::Service& service, const model::SystemCut& start, CountOn count_on,
                Fairness fairness, const model::Violation& violation) {
  ASSERT_TRUE(violation.death->proof.checked);
  search::LassoClaim claim{
      service,
      count_on,
      fairness,
      start,
      violation.path,
      violation.death->cycle_from - 1,
      [&](const model::SystemCut& cut) { return search::HoldsIn(service, 0, cut); }};
  EXPECT_TRUE(search::CheckLasso(claim).ok());
  claim.holds = [](const model::SystemCut&) { return true; };
  EXPECT_FALSE(search::CheckLasso(claim).ok());
}

// The cycles of all states, those included that are dead: whether there is one.
bool SearchFinds(const model::Service& service, const model::SystemCut& start, CountOn count_on,
                 Fairness fairness) {
  const search::PropertyView view(service, 0);
  model::TransitionTable table(view);
  model::InvariantTable invariants(table);
  search::RecoveryMoves moves(table, invariants, count_on);
  search::GlobalSpace space(table);
  const search::SearchOptions options;
  search::StateSearch all(space, invariants, options, nullptr);
  model::Budget budget = model::Budget::Unlimited();
  all.Begin(space.Start(start));
  all.Grow(UINT32_MAX, budget);
  search::GlobalState state = all.MakeState();
  search::LassoSearch lassos(space, all, moves, fairness, [&](uint32_t index) {
    all.store().Load(index, state.fields());
    return !moves.Live(state);
  });
  const std::optional<search::Lasso> lasso = lassos.Find(budget);
  if (!lasso) return false;
  const absl::Status stands = search::CheckLasso(
      {service, count_on, fairness, start, lasso->path, lasso->cycle_from,
       [&](const model::SystemCut& cut) { return search::HoldsIn(service, 0, cut); }});
  EXPECT_TRUE(stands.ok()) << stands;
  return true;
}

void Trial(uint64_t seed, Fairness fairness, Tally& tally) {
  const integration::RandomServiceSpec spec = integration::RandomSpec(seed);
  if (spec.shape == integration::Shape::kAcyclic || spec.invariants.empty()) return;
  const model::System system = integration::MakeRandomSystem(spec);
  const size_t invariant = seed % system.service->invariants().size();
  const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
  const CountOn count_on = seed % 3 == 0 ? CountOn::kHelpful : CountOn::kCalls;
  const std::optional<bool> truth =
      NaiveFairness(service, count_on, fairness).HasCycle(system.start, kStatesMax);
  if (!truth) return;
  ++tally.judged;
  tally.cycles += *truth ? 1 : 0;
  EXPECT_EQ(SearchFinds(service, system.start, count_on, fairness), *truth);
  const model::Report report = Explore(service, system.start, count_on, fairness);
  ASSERT_NE(report.liveness, nullptr);
  EXPECT_EQ(report.liveness->fairness, fairness);
  if (report.liveness->verdict == LivenessVerdict::kFairCycle) {
    ++tally.verdicts;
    EXPECT_TRUE(*truth);
    JudgeCycle(service, system.start, count_on, fairness, report.violations[0]);
  } else if (report.liveness->verdict == LivenessVerdict::kLive) {
    EXPECT_TRUE(report.complete);
    EXPECT_FALSE(*truth);
  }
}

class FairnessDifferentialTest : public testing::TestWithParam<Fairness> {};

TEST_P(FairnessDifferentialTest, FindsFairCyclesWhereTheNaiveJudgeDoes) {
  Tally tally;
  for (uint64_t seed = 1; tally.judged < Count(); ++seed) {
    SCOPED_TRACE(seed);
    Trial(seed, GetParam(), tally);
    if (HasFailure()) return;
  }
  // What cannot be wrong is not tested: there must be some of each.
  EXPECT_GT(tally.cycles, Count() / 50);
  EXPECT_LT(tally.cycles, Count() - Count() / 10);
  RecordProperty("cycles", std::to_string(tally.cycles));
  RecordProperty("verdicts", std::to_string(tally.verdicts));
}

INSTANTIATE_TEST_SUITE_P(Kind, FairnessDifferentialTest,
                         testing::Values(Fairness::kWeak, Fairness::kStrong, Fairness::kFairLoss),
                         [](const auto& kind) {
                           std::string name = model::FairnessName(kind.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace foretell::tests
