// Dynamic interface reduction on the systems of the DEMETER paper: known counts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "foretell/dir/dir_explorer.h"
#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/journal/file.h"
#include "foretell/dir/testing/temp_folder.h"
#include "foretell/integration/catalog.h"
#include "foretell/integration/examples/accumulator.h"
#include "foretell/integration/philosophers/family.h"
#include "foretell/tests/support/engines.h"
#include "foretell/tests/support/hierarchy.h"

namespace foretell::tests {
namespace {

using dir::CheckSetting;
using dir::Components;
using dir::Dependency;
using dir::DependencyMode;
using dir::Signature;
using model::NodeId;

// What came out, in terms that do not depend on the order of work.
struct Result {
  dir::Tally tally;
  std::set<Signature> skeletons;
  friend bool operator==(const Result& a, const Result& b) {
    return a.skeletons == b.skeletons && a.tally.local_traces == b.tally.local_traces &&
           a.tally.global_traces == b.tally.global_traces && a.tally.units == b.tally.units;
  }
};

struct Options {
  DependencyMode dependency = DependencyMode::kExact;
  uint32_t threads = 0;
  std::string journal;  // A file; empty: none.
};

Result Reduce(const model::System& system, const Components& components, Options options = {}) {
  dir::EventNumbers event_numbers;
  model::Budget budget = model::Budget::Unlimited();
  dir::GrownNodeGraphs grown(*system.service, system.start, budget);
  const Dependency dependency =
      options.dependency == DependencyMode::kExact
          ? Dependency::Exact(grown, /*check_invariants=*/false, event_numbers, budget)
          : Dependency::Conservative();
  const CheckSetting setting{*system.service, system.start, components,
                             event_numbers,   dependency,   dir::Interface::kSendsAndReceives};
  const auto jobs =
      options.threads == 0 ? dir::MakeInlineEngine() : dir::MakeThreadEngine(options.threads);
  dir::GlobalExplorer explorer(setting, dir::Checker::kDpor, *jobs);
  std::unique_ptr<dir::JournalFile> journal;
  if (!options.journal.empty()) {
    auto opened = dir::JournalFile::Open(options.journal, "test", components, event_numbers);
    FORETELL_CHECK(opened.ok());
    journal = *std::move(opened);
    explorer.Resume(journal->TakeResults());
    explorer.set_journal(journal.get());
  }
  EXPECT_TRUE(explorer.Explore(budget, nullptr, nullptr));
  Result result{explorer.tally(), {}};
  explorer.CountTraces(result.tally);
  for (const auto& skeleton : explorer.skeletons()) result.skeletons.insert(skeleton->signature);
  return result;
}

model::System Builtin(const std::string& service, const std::string& scenario,
                      const std::string& bug = "") {
  for (const auto& family : integration::BuiltinServices()) {
    if (family->name() == service) return MakeOrDie(*family, scenario, bug);
  }
  ADD_FAILURE() << "no service " << service;
  return {};
}

// Section 2.3: 2 * (1 + 3 + 3) local executions, where 2 * 3 * 3 would be explored without.
TEST(DirSystemsTest, FigureOneTakesFourteenExecutions) {
  const model::System system = Builtin("accumulator", "figure-1");
  for (const DependencyMode mode : {DependencyMode::kConservative, DependencyMode::kExact}) {
    const Result parts = Reduce(system, Components::Nodes(3), {mode});
    EXPECT_EQ(parts.skeletons.size(), 2u);
    EXPECT_EQ(parts.tally.local_traces, 14u);
    EXPECT_EQ(parts.tally.global_traces, 18);
    EXPECT_EQ(Reduce(system, Components::Whole(3), {mode}).tally.local_traces, 18u);
  }
}

TEST(DirSystemsTest, NumbersAndServersAddUpInsteadOfMultiplying) {
  for (uint32_t n = 1; n <= 5; ++n) {
    double plain = 1;
    for (uint32_t m = 1; m <= 5; ++m) {
      plain *= n + 1;
      const model::System system = integration::examples::MakeAccumulatorSystem(n, m);
      const Result result = Reduce(system, Components::Nodes(m + 1));
      EXPECT_EQ(result.tally.local_traces, 1 + m * (n + 1)) << n << " " << m;
      EXPECT_EQ(result.tally.global_traces, plain) << n << " " << m;
    }
  }
}

// 2^n - 1 orders of who is first at each fork; the paper has 6 and 25 skeletons.
TEST(DirSystemsTest, PhilosophersInComponentsOfEight) {
  using integration::philosophers::Consecutive;
  const model::System two = Builtin("philosophers", "dphi-2");
  const Result of_two = Reduce(two, *Components::Of(Consecutive(16, 2), 32));
  EXPECT_EQ(of_two.skeletons.size(), 6u);
  EXPECT_EQ(of_two.tally.local_traces, 1'532u);
  EXPECT_EQ(of_two.tally.global_traces, (1 << 16) - 1);
  const model::System three = Builtin("philosophers", "dphi-3");
  const Result of_three = Reduce(three, *Components::Of(Consecutive(24, 3), 48));
  EXPECT_EQ(of_three.skeletons.size(), 23u);
  EXPECT_EQ(of_three.tally.local_traces, 2'298u);
  EXPECT_EQ(of_three.tally.global_traces, (1 << 24) - 1);
}

TEST(DirSystemsTest, AlternatingComponentsHaveLargeInterfaces) {
  const model::System system = Builtin("philosophers", "ring-6");
  using integration::philosophers::Alternating;
  using integration::philosophers::Consecutive;
  const Result good = Reduce(system, *Components::Of(Consecutive(6, 2), 12));
  const Result bad = Reduce(system, *Components::Of(Alternating(6, 2), 12));
  EXPECT_EQ(good.tally.global_traces, 63);
  EXPECT_EQ(bad.tally.global_traces, 63);
  EXPECT_LT(good.skeletons.size(), bad.skeletons.size());
}

Components RingOf(uint32_t philosophers, std::initializer_list<uint32_t> levels) {
  const uint32_t nodes = 2 * philosophers;
  return *Components::Parse(Hierarchy(0, nodes, std::vector<uint32_t>(levels)), nodes);
}

// What goes on between the parts of a component does not show at the level above: the skeletons are
// those of the undivided component, found by far fewer local traces.
TEST(DirSystemsTest, PartsOfComponentsAddNoGlobalSkeletons) {
  const model::System system = Builtin("philosophers", "dphi-2");
  const Result flat = Reduce(system, RingOf(16, {2}));
  const Result halves = Reduce(system, RingOf(16, {2, 2}));
  const Result quarters = Reduce(system, RingOf(16, {2, 2, 2}));
  EXPECT_EQ(halves.skeletons, flat.skeletons);
  EXPECT_EQ(quarters.skeletons, flat.skeletons);
  EXPECT_EQ(halves.tally.global_traces, flat.tally.global_traces);
  EXPECT_EQ(quarters.tally.global_traces, flat.tally.global_traces);
  EXPECT_LT(halves.tally.local_traces, flat.tally.local_traces / 2);
  EXPECT_LT(quarters.tally.local_traces, halves.tally.local_traces / 2);
  // The same eight parts side by side.
  const Result side_by_side = Reduce(system, RingOf(16, {8}));
  EXPECT_EQ(side_by_side.tally.global_traces, flat.tally.global_traces);
  EXPECT_GT(side_by_side.skeletons.size(),
            10 * (quarters.skeletons.size() + quarters.tally.inner_skeletons));
}

// Who is first at each fork, and how long the second waits (philosophers_test.cc).
TEST(DirSystemsTest, PartsOfComponentsMakeConservativeDependencyAffordable) {
  const model::System system = Builtin("philosophers", "dphi-2");
  const Result result =
      Reduce(system, RingOf(16, {2, 2, 2}), {.dependency = DependencyMode::kConservative});
  const double first = 65'536 - 1;
  const double waits = 43'046'721 - 65'536;
  EXPECT_EQ(result.tally.global_traces, first * waits);
}

TEST(DirSystemsTest, PartsOfComponentsLeadToTheSameWithThreadsAndAJournal) {
  const model::System system = Builtin("philosophers", "ring-8");
  const Components components = RingOf(8, {2, 2});
  const Result alone = Reduce(system, components);
  EXPECT_EQ(Reduce(system, components, {.threads = 2}), alone);
  const std::string folder = dir::testing::TempFolder();
  const std::string path = folder + "/journal";
  EXPECT_EQ(Reduce(system, components, {.journal = path}).skeletons, alone.skeletons);
  const Result again = Reduce(system, components, {.journal = path});
  EXPECT_EQ(again.skeletons, alone.skeletons);
  EXPECT_EQ(again.tally.global_traces, alone.tally.global_traces);
  EXPECT_EQ(again.tally.inner_skeletons, 0u) << "something was explored again";
  std::filesystem::remove_all(folder);
}

// Who eats concerns the neighbours. Of eight in a component the inner ones are nobody else's
// business, so that components show little more than without invariants.
TEST(DirSystemsTest, InvariantsAreCheckedWhereTheyBelong) {
  const model::System system = Builtin("philosophers", "dphi-3");
  predictors::EngineOptions options;
  options.threads = 1;
  for (const Components& components : {RingOf(24, {3}), RingOf(24, {3, 2, 2})}) {
    options.components = components.ToString();
    const model::Report report =
        Explore(*system.service, system.start, "dir", options, /*steps_max=*/1'000'000);
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(report.violations.size(), 0u);
    ASSERT_FALSE(report.notes.empty());
    EXPECT_EQ(report.notes[0].substr(0, 21), "212 global skeletons;") << report.notes[0];
  }
}

TEST(DirSystemsTest, ScenariosHaveComponentsThatExist) {
  size_t divided = 0;
  for (const auto& family : integration::BuiltinServices()) {
    for (const model::Named& scenario : family->scenarios()) {
      const model::System system = MakeOrDie(*family, scenario.name);
      if (system.components.empty()) continue;
      ++divided;
      const auto components = Components::Parse(system.components, system.service->node_count());
      EXPECT_TRUE(components.ok()) << scenario.name << ": " << components.status();
    }
  }
  EXPECT_GT(divided, 2u);
}

// The two who eat at once may be in one component, in one part of it, or nowhere together. With
// conservative dependencies the first execution that is tried is a good one.
TEST(DirSystemsTest, AViolationIsFoundWhereverItIs) {
  const model::System system =
      MakeOrDie(integration::philosophers::Family(), "ring-4", "greedy-fork");
  for (const char* const components : {"0-7", "0-3/4-7", "0,1,4,5/2,3,6,7", "(0-3/4-7)",
                                       "(0,1/2,3)/(4,5/6,7)", "(0,1/(2,3/4,5))/6,7"}) {
    SCOPED_TRACE(components);
    predictors::EngineOptions options;
    options.components = components;
    options.dependency = DependencyMode::kConservative;
    options.threads = 2;
    const model::Report report = Explore(*system.service, system.start, "dir", options);
    EXPECT_EQ(report.violations.size(), 1u);
    EXPECT_GT(report.stats.traces.value_or(0), 0u) << "found without exploring any component";
  }
}

// What a component has found out about its own nodes is not lost with a killed explorer, nor is
// what else it had done.
TEST(DirSystemsTest, AViolationIsFoundAgainWithAJournal) {
  const model::System system = Builtin("threads", "servers-2", "torn-checkpoint");
  const std::string folder = dir::testing::TempFolder();
  dir::DirOptions options;
  options.all_invariants = true;
  options.journal = [&folder](const Components& components, const std::string& basis,
                              dir::EventNumbers& event_numbers) {
    return dir::JournalFile::Open(folder + "/journal", basis, components, event_numbers);
  };
  for (const bool again : {false, true}) {
    SCOPED_TRACE(again ? "again" : "first");
    model::Budget budget = model::Budget::Unlimited();
    const auto report =
        dir::MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->complete);
    ASSERT_EQ(report->violations.size(), 1u);
    EXPECT_EQ(report->violations[0].invariant, "whole-checkpoint");
    ExpectSound(*system.service, system.start, *report);
    const bool went_on =
        testing::Value(report->notes, testing::Contains(testing::StartsWith("Went on with ")));
    EXPECT_EQ(went_on, again);
  }
  std::filesystem::remove_all(folder);
}

// What results rest upon must not depend on how long that took.
TEST(DirSystemsTest, AJournalIsNotWrittenWithoutABasis) {
  const model::System system = Builtin("chord", "chord-3");
  const std::string folder = dir::testing::TempFolder();
  dir::DirOptions options;
  options.journal = [&folder](const Components& components, const std::string& basis,
                              dir::EventNumbers& event_numbers) {
    return dir::JournalFile::Open(folder + "/journal", basis, components, event_numbers);
  };
  model::Budget budget = Steps(20);
  const auto report = dir::MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->outcome, model::Outcome::kBudget);
  EXPECT_THAT(report->notes, testing::Contains(testing::StartsWith("The budget did not last")));
  EXPECT_FALSE(std::filesystem::exists(folder + "/journal"));
  std::filesystem::remove_all(folder);
}

// What the components' traces stand for is what a search of the whole system finds.
TEST(DirSystemsTest, LocalTracesStandForAllGlobalOnes) {
  const std::pair<const char*, const char*> systems[] = {
      {"pam", "pam-2"},          {"pam", "one-ballot-3"},  {"chord", "chord-2"},
      {"pastry", "pastry-2"},    {"threads", "servers-2"}, {"threads", "servers-3"},
      {"philosophers", "ring-3"}};
  for (const auto& [service, scenario] : systems) {
    SCOPED_TRACE(scenario);
    const model::System system = Builtin(service, scenario);
    const uint32_t nodes = system.service->node_count();
    for (const DependencyMode mode : {DependencyMode::kConservative, DependencyMode::kExact}) {
      const Result parts = Reduce(system, Components::Nodes(nodes), {mode});
      const Result whole = Reduce(system, Components::Whole(nodes), {mode});
      EXPECT_EQ(parts.tally.global_traces, static_cast<double>(whole.tally.local_traces));
    }
  }
}

TEST(DirSystemsTest, ExactDependenciesLeaveFewerSkeletons) {
  for (const char* const service : {"chord", "pastry"}) {
    const model::System system = Builtin(service, std::string(service) + "-2");
    const Result conservative =
        Reduce(system, Components::Nodes(2), {DependencyMode::kConservative});
    const Result exact = Reduce(system, Components::Nodes(2), {DependencyMode::kExact});
    EXPECT_LT(exact.skeletons.size() * 5, conservative.skeletons.size());
  }
}

TEST(DirSystemsTest, TheNumberOfThreadsDoesNotShow) {
  const model::System chord = Builtin("chord", "chord-3");
  const model::System ring = Builtin("philosophers", "ring-8");
  const Components halves = *Components::Of(integration::philosophers::Consecutive(8, 2), 16);
  const Result chord_alone = Reduce(chord, Components::Nodes(3));
  const Result ring_alone = Reduce(ring, halves);
  for (const uint32_t threads : {1u, 2u, 3u}) {
    const Options options{DependencyMode::kExact, threads};
    EXPECT_EQ(Reduce(chord, Components::Nodes(3), options), chord_alone) << threads;
    EXPECT_EQ(Reduce(ring, halves, options), ring_alone) << threads;
  }
}

// A kill leaves the journal as it was up to some byte. Wherever that is, the explorer comes to the
// same end, and explores no unit twice that it had written down.
TEST(DirSystemsTest, GoesOnWhereItWasKilled) {
  const model::System system = Builtin("chord", "chord-3");
  const Components nodes = Components::Nodes(3);
  const std::string folder = dir::testing::TempFolder();
  const std::string path = folder + "/journal";
  const Result undisturbed = Reduce(system, nodes, {.journal = path});
  EXPECT_EQ(undisturbed, Reduce(system, nodes));
  const uint64_t size = std::filesystem::file_size(path);
  for (const uint64_t percent : {0u, 1u, 20u, 55u, 99u, 100u}) {
    std::filesystem::resize_file(path, size * percent / 100);
    const Result resumed = Reduce(system, nodes, {.journal = path});
    EXPECT_EQ(resumed, undisturbed) << percent;
    EXPECT_EQ(std::filesystem::file_size(path), size) << percent;
    // How many prefixes there are depends a little on what was explored before in this life.
    if (percent == 0) {
      EXPECT_EQ(resumed.tally.transitions, undisturbed.tally.transitions);
    } else if (percent >= 20) {
      EXPECT_LT(resumed.tally.transitions, undisturbed.tally.transitions);
    }
    EXPECT_EQ(resumed.tally.transitions == 0, percent == 100) << percent;
  }
}

TEST(DirSystemsTest, PlantedBugsAreFound) {
  const struct {
    const char* service;
    const char* scenario;
    const char* bug;
    const char* invariant;
    const char* components;
  } planted[] = {
      {"pam", "recovery-3", "forgets-on-recovery", "agreement", ""},
      {"pam", "stepping-stone-3", "first-value", "agreement", ""},
      {"philosophers", "dphi-3", "greedy-fork", "one-fork-one-eater", "0-15/16-31/32-47"},
      {"chord", "chord-3", "any-predecessor", "one-owner", "0,1/2"},
      {"pastry", "pastry-3", "bare-ack", "acquainted", ""},
      {"threads", "servers-2", "torn-checkpoint", "whole-checkpoint", ""},
  };
  for (const auto& bug : planted) {
    SCOPED_TRACE(bug.bug);
    const model::System system = Builtin(bug.service, bug.scenario, bug.bug);
    ASSERT_NE(system.service, nullptr);
    predictors::EngineOptions options;
    options.components = bug.components;
    options.threads = 1;
    const model::Report report = Explore(*system.service, system.start, "dir", options);
    ASSERT_EQ(report.violations.size(), 1u);
    EXPECT_EQ(report.violations[0].invariant, bug.invariant);
  }
}

}  // namespace
}  // namespace foretell::tests
