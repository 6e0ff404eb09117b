// The systems of Table I of the DBSS paper. Counts are pinned: if one moves, coverage moved.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/integration/zab/family.h"
#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/search/explorers.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::Outcome;
using model::Report;

const integration::synod::Family kSynod;
const integration::registers::Family kRegister;
const integration::zab::Family kZab;

using Make = std::unique_ptr<model::Explorer> (*)(const model::Service&, search::SearchOptions);
constexpr Make kGlobal = search::MakeGlobalExplorer;
constexpr Make kPor = search::MakePorExplorer;

Report Search(Make make, const model::Service& service, const model::SystemCut& start,
              search::Order order = search::Order::kBreadthFirst) {
  search::SearchOptions options;
  options.order = order;
  options.minimise = false;  // The paper has no such thing.
  model::Budget budget = Steps(UINT64_MAX);
  const auto report = make(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  if (!report.ok()) return {};
  ExpectSound(service, start, *report);
  return *report;
}
Report Search(Make make, const model::ServiceFamily& family, const std::string& scenario,
              const std::string& bug = "", search::Order order = search::Order::kBreadthFirst) {
  const model::System system = MakeOrDie(family, scenario, bug);
  return Search(make, *system.service, system.start, order);
}

TEST(Table1Test, UnreducedCountsAreExact) {
  const Report paxos = Search(kGlobal, kSynod, "paxos-6");
  EXPECT_TRUE(paxos.complete);
  EXPECT_EQ(paxos.stats.global_states, 168'852u);
  EXPECT_EQ(paxos.stats.transitions, 867'972u);
  const Report five = Search(kGlobal, kRegister, "register-5");
  EXPECT_TRUE(five.complete);
  EXPECT_EQ(five.stats.global_states, 54'343u);
  EXPECT_EQ(five.stats.transitions, 254'633u);
}

// As if nothing were auxiliary: the messages that came last tell states apart.
TEST(Table1Test, WithoutDecompositionThereAreMoreStates) {
  const model::System system = MakeOrDie(kRegister, "register-5,writes=1");
  const model::KeptAuxiliary kept(*system.service);
  const Report naive = Search(kGlobal, kept, system.start);
  const Report decomposed = Search(kGlobal, *system.service, system.start);
  EXPECT_TRUE(naive.complete && decomposed.complete);
  EXPECT_EQ(decomposed.stats.global_states, 2'255u);
  EXPECT_EQ(naive.stats.global_states, 4'373u);
}

TEST(Table1Test, ReducedCountsArePinned) {
  for (const auto order : {search::Order::kBreadthFirst, search::Order::kDepthFirst}) {
    EXPECT_EQ(Search(kPor, kSynod, "paxos-6", "", order).stats.global_states, 2'961u);
    EXPECT_EQ(Search(kPor, kRegister, "register-5", "", order).stats.global_states, 2'093u);
  }
  EXPECT_EQ(Search(kPor, kSynod, "paxos-7").stats.global_states, 87'554u);
  EXPECT_EQ(Search(kPor, kRegister, "register-6").stats.global_states, 12'450u);
}

// Depth first, in fewer states than the paper's best.
TEST(Table1Test, FaultsAreFound) {
  const auto expect = [](const model::ServiceFamily& family, const char* scenario, const char* bug,
                         uint64_t paper) {
    const Report report = Search(kPor, family, scenario, bug, search::Order::kDepthFirst);
    EXPECT_EQ(report.outcome, Outcome::kViolation) << scenario << " " << bug;
    EXPECT_LT(*report.stats.global_states, paper) << scenario << " " << bug;
  };
  expect(kSynod, "paxos-6", "accepts-all", 2'786);
  expect(kSynod, "paxos-7", "last-accepted", 124'976);
  expect(kRegister, "register-5", "wrong-regularity", 1'483);
  expect(kRegister, "register-6", "wrong-regularity", 4'642);
}

// Zab is not live: three followers of three leaders wait for ever.
TEST(Table1Test, ZabMayEndWithoutALeader) {
  for (const Make make : {kGlobal, kPor}) {
    for (const auto& [scenario, paper] : {std::pair("zab-6", 1'876u), std::pair("zab-7", 3'132u)}) {
      const Report report = Search(make, kZab, scenario);
      ASSERT_EQ(report.violations.size(), 1u);
      EXPECT_EQ(report.violations[0].invariant, "established");
      EXPECT_EQ(report.violations[0].path.size(), 6u);
      EXPECT_LT(*report.stats.global_states, paper) << "of DBSS";
    }
  }
}

TEST(Table1Test, OfTwoLeadersOfZabOneIsEstablished) {
  for (const Make make : {kGlobal, kPor}) EXPECT_TRUE(Search(make, kZab, "zab-5").complete);
}

// What looks at single nodes cannot tell where a system ends.
TEST(Table1Test, AnEngineThatDoesNotLookAtEndsSaysSo) {
  const model::System system = MakeOrDie(kZab, "zab-5");
  model::Budget budget = Steps(UINT64_MAX);
  const auto report = lmc::MakeLmcExplorer(*system.service, {})->Explore(system.start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->complete);
  ASSERT_FALSE(report->notes.empty());
  EXPECT_EQ(report->notes[0],
            "Not looked at: established, for terminal states only; engines global and por do.");
}

}  // namespace
}  // namespace foretell::tests
