// Invariants of terminal states: engines against the naive judge, on random services of which one
// invariant was made to hold in the end only. FORETELL_SEEDS: how many of each shard.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/search/explorers.h"
#include "foretell/search/naive_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

constexpr uint64_t kShards = 8;
constexpr uint64_t kStatesMax = 1'000;

uint64_t Seeds() {
  const char* const seeds = std::getenv("FORETELL_SEEDS");
  return seeds != nullptr ? std::strtoull(seeds, nullptr, 10) : 50;
}

// Every second invariant is one of terminal states.
class InTheEnd final : public model::ForwardingService {
 public:
  explicit InTheEnd(const model::Service& inner)
      : ForwardingService(inner), infos_(inner.invariants().begin(), inner.invariants().end()) {
    for (size_t i = 0; i < infos_.size(); i += 2) infos_[i].when_stuck = true;
  }
  std::span<const model::InvariantInfo> invariants() const override { return infos_; }

 private:
  std::vector<model::InvariantInfo> infos_;
};

using Make = std::unique_ptr<model::Explorer> (*)(const model::Service&, search::SearchOptions);

std::set<std::string> Violated(const model::Service& service, const model::SystemCut& start,
                               Make make, search::Order order, bool minimise) {
  search::SearchOptions options;
  options.all_invariants = true;
  options.order = order;
  options.minimise = minimise;
  options.minimise_after = 0;
  model::Budget budget = Steps(100'000'000);
  const auto report = make(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  std::set<std::string> violated;
  if (!report.ok()) return violated;
  ExpectSound(service, start, *report);
  for (const auto& violation : report->violations) violated.insert(violation.invariant);
  return violated;
}

class WhenStuckTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, WhenStuckTest, testing::Range(uint64_t{0}, kShards));

TEST_P(WhenStuckTest, EnginesAgreeWithTheNaiveJudge) {
  uint64_t broken_in_the_end = 0;
  for (uint64_t i = 0; i < Seeds(); ++i) {
    const uint64_t seed = 1 + GetParam() * 1'000'000 + i;
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    const InTheEnd service(*system.service);
    const auto naive = search::NaiveSearch(service, system.start, kStatesMax);
    if (!naive.finished) continue;
    for (const auto& make : {search::MakeGlobalExplorer, search::MakePorExplorer}) {
      for (const auto order : {search::Order::kBreadthFirst, search::Order::kDepthFirst}) {
        for (const bool minimise : {false, true}) {
          EXPECT_EQ(Violated(service, system.start, make, order, minimise), naive.ViolatedNames())
              << "seed " << seed << (minimise ? ", minimised" : "");
        }
      }
    }
    for (const auto& info : service.invariants()) {
      broken_in_the_end += info.when_stuck && naive.violated.contains(info.name) ? 1 : 0;
    }
  }
  EXPECT_GT(broken_in_the_end, 0u);  // Or the test says nothing.
}

}  // namespace
}  // namespace foretell::tests
