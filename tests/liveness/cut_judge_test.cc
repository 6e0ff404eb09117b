// Verdicts on single states, as the agent asks for them, against a naive judge over the explicit
// graph of random services. FORETELL_LIVENESS_COUNT judges more than the usual services.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

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

struct Tally {
  uint64_t services = 0;
  uint64_t alive = 0;
  uint64_t dead = 0;
  uint64_t by_loss = 0;
};

uint64_t Wanted() {
  const char* const text = std::getenv("FORETELL_LIVENESS_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 300 : count;
}

// Some states along one way through the service, the start first.
std::vector<model::SystemCut> SomeCuts(const model::Service& service, model::SystemCut start,
                                       uint64_t seed) {
  std::vector<model::SystemCut> cuts = {start};
  model::PlainSystem system(service, std::move(start));
  for (int i = 0; i < 6; ++i) {
    const std::vector<model::PathStep> enabled = system.Enabled();
    if (enabled.empty()) break;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    if (!system.Apply(enabled[(seed >> 33) % enabled.size()]).ok()) break;
    cuts.push_back(system.Canonical());
  }
  return cuts;
}

void JudgeOne(const model::Service& service, const model::SystemCut& cut,
              const search::NaiveLivenessResult& truth, Tally& tally) {
  search::LiveOptions options;
  options.property = Disguise::kName;
  model::Budget budget = Steps(10'000'000);
  const auto fate = search::JudgeCut(service, options, cut, budget);
  ASSERT_TRUE(fate.ok()) << fate.status();
  const bool dead = truth.dead.contains(model::PlainSystem(service, cut).Canonical());
  model::SystemCut emptied = cut;
  emptied.in_flight.clear();
  const bool by_loss = !dead && truth.dead_by_loss.contains(emptied);
  switch (fate->verdict) {
    case LivenessVerdict::kStartDead:
      EXPECT_TRUE(dead);
      ASSERT_TRUE(fate->violation);
      EXPECT_TRUE(fate->violation->death->proof.checked);
      ++tally.dead;
      return;
    case LivenessVerdict::kLive:
      EXPECT_FALSE(dead);
      EXPECT_EQ(fate->violation.has_value(), by_loss && !cut.in_flight.empty());
      ++tally.alive;
      tally.by_loss += fate->violation ? 1 : 0;
      return;
    default: ADD_FAILURE() << "a finite space is decided: " << fate->text;
  }
}

TEST(CutJudgeTest, AgreesWithTheNaiveJudge) {
  constexpr uint64_t kStatesMax = 600;
  Tally tally;
  for (uint64_t seed = 1; tally.services < Wanted(); ++seed) {
    SCOPED_TRACE(seed);
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    if (system.service->invariants().empty()) continue;
    const size_t invariant = seed % system.service->invariants().size();
    const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
    const auto truth = search::NaiveLiveness(service, system.start, 0, {.states_max = kStatesMax});
    if (!truth.finished) continue;
    ++tally.services;
    for (const model::SystemCut& cut : SomeCuts(service, system.start, seed)) {
      JudgeOne(service, cut, truth, tally);
      if (HasFailure()) return;
    }
  }
  // What cannot be wrong is not tested: there must be some of each.
  EXPECT_GT(tally.dead, Wanted() / 20);
  EXPECT_GT(tally.alive, Wanted() / 20);
  EXPECT_GT(tally.by_loss, 0u);
}

}  // namespace
}  // namespace foretell::tests
