#include "foretell/search/cover/cover_explorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/cover/testing/relay.h"
#include "foretell/search/explorers.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::Outcome;
using model::Report;
using ::testing::HasSubstr;
using testing::Relay;

using Make = std::function<std::unique_ptr<model::Explorer>(const model::Service&, SearchOptions)>;

class CoverExplorerTest : public ::testing::Test {
 protected:
  Report Explore(Make make, const Relay& relay, uint64_t steps_max = 100'000) const {
    const auto service = model::MakeService(relay);
    const model::SystemCut start = model::InitialCut(*service);
    Budget budget({.steps_max = steps_max}, [] { return Budget::Time{}; });
    SearchOptions options;
    options.all_invariants = true;
    const auto report = make(*service, options)->Explore(start, budget);
    EXPECT_TRUE(report.ok()) << report.status();
    return *report;
  }
  Report Cover(const Relay& relay) const { return Explore(MakeCoverExplorer, relay); }
};

TEST_F(CoverExplorerTest, EndsWhereMessagesPileUp) {
  const Relay relay{.nodes = 3, .every = 2, .enough = 1};
  const Report endless = Explore(MakeGlobalExplorer, relay, 1'000);
  EXPECT_FALSE(endless.complete);
  const Report report = Cover(relay);
  EXPECT_TRUE(report.complete);
  ASSERT_EQ(report.violations.size(), 1u);
  // Two words, both heard, one passed on and heard.
  EXPECT_EQ(report.violations[0].path.size(), 5u);
  EXPECT_EQ(*report.stats.system_states, 4u);
}

TEST_F(CoverExplorerTest, CountsTheWordsThatItTakes) {
  for (uint32_t enough = 1; enough <= 4; ++enough) {
    const Report report = Cover({.nodes = 2, .enough = enough});
    ASSERT_EQ(report.violations.size(), 1u) << enough;
    EXPECT_EQ(report.violations[0].path.size(), 2 * enough);
    EXPECT_TRUE(report.complete);
  }
}

// Loops that need what other loops make: 3 times 8 words, each said and heard, and so on.
TEST_F(CoverExplorerTest, UnrollsLoopsWithinLoops) {
  const Report report = Cover({.nodes = 5, .every = 2, .enough = 3});
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].path.size(), 24u + 24 + 12 + 6 + 3);
  EXPECT_TRUE(report.complete);
}

TEST_F(CoverExplorerTest, TwoCopiesBreakWhatOneDoesNot) {
  const Report once = Cover({.enough = 2, .words = 1});
  EXPECT_EQ(once.outcome, Outcome::kNone);
  EXPECT_TRUE(once.complete);
  const Report twice = Cover({.enough = 2, .words = 1, .net = {.duplicates_max = 1}});
  ASSERT_EQ(twice.violations.size(), 1u);
  EXPECT_EQ(twice.violations[0].path.size(), 3u);
}

TEST_F(CoverExplorerTest, NodesCrashAndForget) {
  // Either may crash at any time, is down, and comes back as it was in the beginning.
  const Relay relay{.enough = 2, .words = 2, .crashes_max = 1};
  const Report report = Cover(relay);
  const Report all = Explore(MakeGlobalExplorer, relay);
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(report.violations.size(), all.violations.size());
  EXPECT_LE(*report.stats.global_states, *all.stats.global_states);
  EXPECT_EQ(*report.stats.node_states, *all.stats.node_states);
}

TEST_F(CoverExplorerTest, SaysWhenAPathIsTooLong) {
  const Report report = Cover({.nodes = 3, .every = 60, .enough = 60});
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("few can be violated, but the way that was found has"));
}

TEST_F(CoverExplorerTest, EndsWithTheBudget) {
  const Report report = Explore(MakeCoverExplorer, {.nodes = 4, .every = 3, .enough = 3}, 10);
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], "Ended by the limit on steps.");
  EXPECT_EQ(report.stats.transitions, 10u);
}

TEST_F(CoverExplorerTest, RefusesStreams) {
  const Relay relay{.net = {.kind = model::NetworkKind::kStreams}};
  const auto service = model::MakeService(relay);
  EXPECT_FALSE(CoveredByCover(*service, model::InitialCut(*service)).ok());
  const Report report = Cover(relay);
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.notes[0],
            "Nothing was explored: engine cover does not cover streams, only datagrams.");
}

}  // namespace
}  // namespace foretell::search
