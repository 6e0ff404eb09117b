// Engine `cover` on random services whose messages pile up without end: every system state that it
// knows has a way that replays, and it knows every one that a search with few copies of each
// message in flight can reach. FORETELL_SELFTEST_COUNT checks more seeds than usual.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/cover/cover_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::PlainSystem;
using model::SystemCut;
using search::CoverSearch;
// The nodes of a cut, without what is in flight.
using SystemState = std::vector<model::NodeState>;

constexpr uint64_t kShards = 8;
constexpr uint64_t kSeedsPerShard = 1'000'000;
constexpr uint32_t kCopies = 2;         // Of the naive search.
constexpr size_t kStatesMax = 1'000;    // Of the naive search.
constexpr uint64_t kStepsMax = 50'000;  // Of `cover`.
constexpr size_t kPathMax = 10'000;     // Loops within loops take long to unroll.
constexpr uint32_t kWaysMax = 20;       // To replay, of one service.

uint64_t SeedsOfShard() {
  const char* const text = std::getenv("FORETELL_SELFTEST_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return (count == 0 ? 2'000 : count) / kShards;
}

// A random service that may send for ever: its energy, or the rule that nothing makes more messages
// than it takes, is taken away. Nothing if it is on streams or never had either.
std::optional<integration::RandomServiceSpec> Unbounded(uint64_t seed) {
  integration::RandomServiceSpec spec = integration::RandomSpec(seed);
  if (spec.network != model::NetworkKind::kDatagrams) return std::nullopt;
  if (spec.shape == integration::Shape::kAcyclic) return std::nullopt;
  spec.energy_max = 0;
  for (integration::NodeSpec& node : spec.nodes) node.initial.left = node.start.left = 0;
  if (spec.shape == integration::Shape::kCirculating) spec.duplicates_max = 1;
  return spec;
}

// Loses what is beyond kCopies of the same message. True iff something was lost.
bool LoseSurplus(SystemCut& cut) {
  std::vector<model::Message> kept;
  for (const model::Message& message : cut.in_flight) {
    if (std::count(kept.begin(), kept.end(), message) < kCopies) kept.push_back(message);
  }
  const bool lost = kept.size() < cut.in_flight.size();
  cut.in_flight = std::move(kept);
  return lost;
}

struct Capped {
  std::set<SystemState> systems;
  bool lossy = false;     // Something was beyond kCopies.
  bool finished = false;  // Within kStatesMax.
};

// Plain semantics, whole states: shares nothing with the engine.
Capped SearchCapped(const model::Service& service, const SystemCut& start) {
  Capped result;
  std::set<SystemCut> seen = {PlainSystem(service, start).Canonical()};
  std::deque<SystemCut> frontier(seen.begin(), seen.end());
  for (; !frontier.empty() && seen.size() <= kStatesMax; frontier.pop_front()) {
    const PlainSystem here(service, frontier.front());
    result.systems.insert(frontier.front().nodes);
    for (const model::PathStep& step : here.Enabled()) {
      PlainSystem next = here;
      EXPECT_TRUE(next.Apply(step).ok());
      SystemCut cut = next.Canonical();
      result.lossy = LoseSurplus(cut) || result.lossy;
      if (seen.insert(cut).second) frontier.push_back(std::move(cut));
    }
  }
  result.finished = frontier.empty();
  return result;
}

SystemState StateOf(const model::TransitionTable& table, std::span<const model::StateId> system) {
  SystemState nodes;
  for (uint32_t n = 0; n < system.size(); ++n) {
    nodes.push_back(table.StateOf(model::NodeId(n), system[n]));
  }
  return nodes;
}

// A way to system state number `i` replays, and ends there. False if it has too many steps.
bool WayReplays(const model::System& system, const model::TransitionTable& table,
                CoverSearch& search, uint32_t i) {
  const auto path = search.PathTo(i, kPathMax);
  if (!path) return false;
  PlainSystem plain(*system.service, system.start);
  for (const model::PathStep& step : *path) {
    const auto applied = plain.Apply(step);
    EXPECT_TRUE(applied.ok()) << applied.status();
    if (!applied.ok()) return true;
  }
  EXPECT_EQ(plain.state().nodes, StateOf(table, search.system(i)));
  return true;
}

struct Covered {
  std::set<SystemState> systems;
  bool finished = false;
  uint64_t ways = 0;
  uint64_t too_long = 0;
};

Covered Cover(const model::System& system) {
  model::TransitionTable table(*system.service);
  CoverSearch search(table);
  search.Begin(system.start);
  model::Budget budget = Steps(kStepsMax);
  search.Grow(UINT32_MAX, budget);
  Covered result{.finished = search.finished()};
  const uint32_t stride = 1 + search.system_count() / kWaysMax;
  for (uint32_t i = 0; i < search.system_count(); ++i) {
    EXPECT_TRUE(result.systems.insert(StateOf(table, search.system(i))).second);
    if (i % stride != 0) continue;
    ++(WayReplays(system, table, search, i) ? result.ways : result.too_long);
  }
  return result;
}

class CoverDifferentialTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, CoverDifferentialTest, testing::Range(uint64_t{0}, kShards));

TEST_P(CoverDifferentialTest, KnowsWhatCanBeReachedAndNothingElse) {
  std::map<std::string, uint64_t> counts;
  const uint64_t first = 1 + GetParam() * kSeedsPerShard;
  for (uint64_t seed = first; seed < first + SeedsOfShard(); ++seed) {
    SCOPED_TRACE(seed);
    const auto spec = Unbounded(seed);
    if (!spec) continue;
    const model::System system = integration::MakeRandomSystem(*spec);
    const Covered covered = Cover(system);
    ++counts[covered.finished ? "finished" : "unfinished"];
    counts["ways"] += covered.ways;
    counts["too_long"] += covered.too_long;
    if (!covered.finished) continue;
    const Capped capped = SearchCapped(*system.service, system.start);
    for (const SystemState& state : capped.systems) EXPECT_TRUE(covered.systems.contains(state));
    if (capped.lossy) ++counts["endless"];
    if (capped.finished && capped.lossy && covered.systems == capped.systems) ++counts["equal"];
  }
  for (const auto& [name, count] : counts) RecordProperty(name, std::to_string(count));
  // The test is of those that have no end, and most of them must be decided.
  EXPECT_GT(counts["endless"], SeedsOfShard() / 20);
  EXPECT_GT(counts["equal"], 0u);
  EXPECT_GT(counts["ways"], 10 * counts["too_long"]);
  EXPECT_GT(counts["finished"], 3 * counts["unfinished"]);
}

}  // namespace
}  // namespace foretell::tests
