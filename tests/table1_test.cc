// The systems of Table I of the DBSS paper. Counts are pinned: if one moves, coverage moved.

#include <gtest/gtest.h>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/integration/zab/family.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/search/explorers.h"
#include "foretell/search/naive_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::Outcome;
using model::Report;

const integration::synod::Family kSynod;
const integration::registers::Family kRegister;
const integration::zab::Family kZab;

// All interleavings, of states as they are.
Report Global(const model::Service& service, const model::SystemCut& start) {
  model::Budget budget = Steps(UINT64_MAX);
  return *search::MakeGlobalExplorer(service, {})->Explore(start, budget);
}
Report Global(const model::ServiceFamily& family, const std::string& scenario) {
  const model::System system = MakeOrDie(family, scenario);
  return Global(*system.service, system.start);
}

TEST(Table1Test, UnreducedCountsAreExact) {
  const Report paxos = Global(kSynod, "paxos-6");
  EXPECT_TRUE(paxos.complete);
  EXPECT_EQ(paxos.stats.global_states, 168'852u);
  EXPECT_EQ(paxos.stats.transitions, 867'972u);
  const Report five = Global(kRegister, "register-5");
  EXPECT_TRUE(five.complete);
  EXPECT_EQ(five.stats.global_states, 54'343u);
  EXPECT_EQ(five.stats.transitions, 254'633u);
}

// As if nothing were auxiliary: the messages that came last tell states apart.
TEST(Table1Test, WithoutDecompositionThereAreMoreStates) {
  const model::System system = MakeOrDie(kRegister, "register-5,writes=1");
  const model::KeptAuxiliary kept(*system.service);
  const Report naive = Global(kept, system.start);
  const Report decomposed = Global(*system.service, system.start);
  EXPECT_TRUE(naive.complete && decomposed.complete);
  EXPECT_EQ(decomposed.stats.global_states, 2'255u);
  EXPECT_GT(*naive.stats.global_states, 2 * *decomposed.stats.global_states);
}

// Zab is not live: three followers of three leaders wait for ever. The naive judge says so, too.
class ZabTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Engines, ZabTest, testing::Values("global", "por"));

TEST_P(ZabTest, MayEndWithoutALeader) {
  for (const auto& [scenario, paper] : {std::pair("zab-6", 1'876u), std::pair("zab-7", 3'132u)}) {
    const model::System system = MakeOrDie(kZab, scenario);
    const Report report = Explore(system, GetParam());
    ASSERT_EQ(report.violations.size(), 1u);
    EXPECT_EQ(report.violations[0].invariant, "established");
    EXPECT_EQ(report.violations[0].path.size(), 6u);
    EXPECT_LT(*report.stats.global_states, paper) << "of DBSS";
  }
}

TEST_P(ZabTest, OfTwoLeadersOneIsEstablished) {
  const Report report = Explore(MakeOrDie(kZab, "zab-5"), GetParam());
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcome, Outcome::kNone);
}

// What looks at single nodes cannot tell where a system ends.
TEST(Table1Test, EnginesThatDoNotLookAtEndsSaySo) {
  for (const char* engine : {"lmc", "lmc-gen", "dir"}) {
    const Report report = Explore(MakeOrDie(kZab, "zab-5"), engine);
    EXPECT_FALSE(report.complete) << engine;
    ASSERT_FALSE(report.notes.empty()) << engine;
    EXPECT_EQ(report.notes[0],
              "Not looked at: established, for terminal states only; engines global and por do.");
  }
}

}  // namespace
}  // namespace foretell::tests
