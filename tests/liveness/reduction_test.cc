// Engine `live` with and without partial-order reduction on random services: the same verdicts.
// FORETELL_LIVENESS_COUNT judges more than the usual 2,000.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

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

using model::CountOn;
using model::LivenessVerdict;

constexpr uint64_t kShards = 4;
constexpr uint64_t kSeedsPerShard = 1'000'000;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_LIVENESS_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 2'000 : count;
}

model::Report Explore(const model::Service& service, const model::SystemCut& start,
                      CountOn count_on, bool reduce) {
  search::LiveOptions options;
  options.property = Disguise::kName;
  options.count_on = count_on;
  // What is dead by loss is not what the reduction is about.
  options.loss = search::Loss::kNone;
  options.reduce = reduce;
  // To the end, so that the numbers of states can be compared.
  options.all_invariants = true;
  model::Budget budget = Steps(10'000'000);
  auto report = search::MakeLiveExplorer(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *std::move(report) : model::Report{};
}

struct Tally {
  uint64_t judged = 0;
  uint64_t dead = 0;
  uint64_t live = 0;
  uint64_t open = 0;
  uint64_t smaller = 0;  // Spaces that were really reduced.
};

void Trial(uint64_t seed, Tally& tally) {
  const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
  if (system.service->invariants().empty()) return;
  const size_t invariant = seed % system.service->invariants().size();
  const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
  const CountOn count_on = seed % 3 == 0 ? CountOn::kHelpful : CountOn::kCalls;
  // Where a bound ends the search, the two may know different things.
  constexpr uint64_t kStatesMax = 200;
  if (!search::NaiveLiveness(service, system.start, 0, {.states_max = kStatesMax}).finished) return;
  const model::Report full = Explore(service, system.start, count_on, false);
  ASSERT_NE(full.liveness, nullptr);
  const LivenessVerdict verdict = full.liveness->verdict;
  if (verdict != LivenessVerdict::kLive && !model::IsViolation(verdict)) return;
  ++tally.judged;
  const model::Report reduced = Explore(service, system.start, count_on, true);
  ASSERT_NE(reduced.liveness, nullptr);
  if (reduced.liveness->verdict == LivenessVerdict::kUndecided) {
    // Where copies of datagrams are left out, events need not commute, and nothing may be claimed.
    EXPECT_EQ(service.network().kind, model::NetworkKind::kDatagrams);
    ++tally.open;
    return;
  }
  EXPECT_EQ(reduced.liveness->verdict, verdict) << reduced.liveness->text;
  EXPECT_EQ(reduced.complete, full.complete);
  if (verdict == LivenessVerdict::kLive) {
    ++tally.live;
    EXPECT_LE(*reduced.stats.global_states, *full.stats.global_states);
    tally.smaller += *reduced.stats.global_states < *full.stats.global_states ? 1 : 0;
    return;
  }
  ++tally.dead;
  ASSERT_EQ(reduced.violations.size(), 1u);
  EXPECT_TRUE(reduced.violations[0].death->proof.checked);
}

class LivenessReductionTest : public testing::TestWithParam<uint64_t> {};

TEST_P(LivenessReductionTest, VerdictsAreTheSame) {
  Tally tally;
  const uint64_t wanted = (Count() + kShards - 1) / kShards;
  for (uint64_t seed = 1 + GetParam() * kSeedsPerShard; tally.judged < wanted; ++seed) {
    SCOPED_TRACE(seed);
    Trial(seed, tally);
    if (HasFailure()) return;
  }
  // What cannot be wrong is not tested: there must be some of each.
  EXPECT_GT(tally.dead, wanted / 20);
  EXPECT_GT(tally.live, wanted / 20);
  EXPECT_GT(tally.smaller, wanted / 50);
  EXPECT_LT(tally.open, wanted / 20);
  RecordProperty("dead", std::to_string(tally.dead));
  RecordProperty("live", std::to_string(tally.live));
  RecordProperty("smaller", std::to_string(tally.smaller));
}

INSTANTIATE_TEST_SUITE_P(Shard, LivenessReductionTest, testing::Range(uint64_t{0}, kShards));

}  // namespace
}  // namespace foretell::tests
