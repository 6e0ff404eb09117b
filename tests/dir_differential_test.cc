// Dynamic interface reduction against the naive enumeration of traces and the naive search, on
// random services. FORETELL_DIR_COUNT checks more than the usual number of services.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "foretell/dir/dir_explorer.h"
#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/testing/naive_traces.h"
#include "foretell/dir/testing/temp_folder.h"
#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/integration/random/random_source.h"
#include "foretell/integration/testing/trace_count.h"
#include "foretell/search/naive_search.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using dir::CheckSetting;
using dir::Components;
using dir::Dependency;
using dir::Interface;
using dir::testing::NaiveTraces;

constexpr uint64_t kShards = 4;

uint64_t Count() {
  const char* const text = std::getenv("FORETELL_DIR_COUNT");
  const uint64_t count = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  return count == 0 ? 400 : count;
}

// One service, one way to look at it.
struct Case {
  const model::System& system;
  Components components;
  bool exact = false;
  Interface interface = Interface::kSends;
  bool check_invariants = false;
};

// Nodes in one to three groups.
Components Grouped(uint64_t seed, uint32_t node_count) {
  integration::RandomSource random(seed);
  Components::Groups groups(std::min<uint32_t>(node_count, random.Between(1, 3)));
  for (uint32_t n = 0; n < node_count; ++n) {
    const size_t group = n < groups.size() ? n : random.Below(groups.size());
    groups[group].emplace_back(n);
  }
  return *Components::Of(groups, node_count);
}

// Nodes of [first, last), in components of components.
std::string NestedText(integration::RandomSource& random, uint32_t first, uint32_t last) {
  if (last - first == 1) return std::to_string(first);
  const uint32_t middle = random.Between(first + 1, last - 1);
  const auto part = [&](uint32_t begin, uint32_t end) {
    const std::string text = NestedText(random, begin, end);
    return end - begin > 1 && random.Below(3) > 0 ? "(" + text + ")" : text;
  };
  return part(first, middle) + "/" + part(middle, last);
}

Components Nested(uint64_t seed, uint32_t node_count) {
  integration::RandomSource random(seed);
  return *Components::Parse(NestedText(random, 0, node_count), node_count);
}

Components ComponentsFor(uint64_t seed, uint32_t node_count) {
  switch (seed / 2 % 3) {
    case 0: return Grouped(seed, node_count);
    case 1: return Nested(seed, node_count);
    default: return Components::Nodes(node_count);
  }
}

// What was compared, so that a test that compares nothing fails.
struct Tally {
  uint64_t services = 0;
  uint64_t cases = 0;
  uint64_t traces = 0;
  uint64_t skeletons = 0;
  uint64_t nested = 0;  // Cases with components of components.
  uint64_t judged = 0;  // Cases in which all broken invariants were known ...
  uint64_t broken = 0;  // ... and how many that were.
  uint64_t lives = 0;   // Cases in which the engine was killed and went on.
};

uint64_t PlainTraces(const CheckSetting& setting, dir::Checker checker) {
  const Components whole = Components::Whole(setting.components.node_count());
  const CheckSetting plain{setting.service,       setting.start,      whole,
                           setting.event_numbers, setting.dependency, setting.interface};
  dir::NumberedTable table(setting.service, setting.event_numbers);
  dir::LocalExplorer explorer(plain, table, whole.nodes(dir::ComponentId(0)), checker);
  model::Budget budget = model::Budget::Unlimited();
  dir::LocalTraces traces;
  EXPECT_TRUE(explorer.Explore({}, budget, traces));
  uint64_t count = 0;
  for (const auto& [behaviour, of_it] : traces) count += of_it;
  return count;
}

// Every skeleton there is, and nothing else.
void CheckSkeletons(const dir::GlobalExplorer& explorer, const NaiveTraces& naive) {
  std::set<dir::Signature> found;
  std::set<dir::Signature> expected;
  for (const auto& skeleton : explorer.skeletons()) found.insert(skeleton->signature);
  for (const auto& [signature, parts] : naive.skeletons()) expected.insert(signature);
  EXPECT_EQ(found, expected);
}

// Of parts of components there are other local traces.
void CheckCounts(const dir::GlobalExplorer& explorer, const NaiveTraces& naive, bool nested) {
  dir::Tally counted = explorer.tally();
  explorer.CountTraces(counted);
  EXPECT_EQ(counted.global_traces, static_cast<double>(naive.traces().size()));
  if (nested) return;
  uint64_t local = 0;
  for (const auto& traces : naive.local_traces()) local += traces.size();
  EXPECT_EQ(counted.local_traces, local);
}

// False if the service is too large, or does not end.
bool CheckCase(const Case& which, Tally& tally) {
  dir::EventNumbers event_numbers;
  model::Budget budget = model::Budget::Unlimited();
  dir::GrownNodeGraphs grown(*which.system.service, which.system.start, budget);
  const dir::InterfaceProjection projection(*which.system.service, grown, budget);
  const Dependency dependency =
      which.exact ? Dependency::Exact(grown, which.check_invariants, event_numbers, budget)
                  : Dependency::Conservative();
  const CheckSetting setting{*which.system.service,
                             which.system.start,
                             which.components,
                             event_numbers,
                             dependency,
                             which.interface,
                             which.check_invariants ? &projection : nullptr,
                             60};
  NaiveTraces naive(setting);
  if (!naive.Run(1'000)) return false;
  ++tally.cases;
  tally.traces += naive.traces().size();
  EXPECT_EQ(PlainTraces(setting, dir::Checker::kDpor), naive.traces().size());
  if (tally.cases % 4 == 0) {
    EXPECT_EQ(PlainTraces(setting, dir::Checker::kDfs), naive.traces().size());
  }
  if (!which.exact && tally.cases % 8 == 0) {
    EXPECT_EQ(integration::testing::TraceCount(which.system).Run(), naive.traces().size());
  }
  const auto jobs = dir::MakeInlineEngine();
  dir::GlobalExplorer explorer(setting, dir::Checker::kDpor, *jobs);
  EXPECT_TRUE(explorer.Explore(budget, nullptr, nullptr));
  CheckSkeletons(explorer, naive);
  tally.skeletons += naive.skeletons().size();
  const bool nested = which.components.is_divided();
  tally.nested += nested ? 1 : 0;
  CheckCounts(explorer, naive, nested);
  return true;
}

// The engine as users may have it; it differs from seed to seed.
dir::DirOptions EngineFor(uint64_t seed, const Components& components) {
  dir::DirOptions options;
  options.components = components.ToString();
  options.all_invariants = true;
  options.dependency =
      seed % 3 > 0 ? dir::DependencyMode::kExact : dir::DependencyMode::kConservative;
  options.checker = seed % 7 == 0 ? dir::Checker::kDfs : dir::Checker::kDpor;
  options.threads = seed % 5 == 0 ? 2 : 1;
  return options;
}

// False if the engine is not complete.
bool ExpectViolated(const model::System& system, const dir::DirOptions& options,
                    const std::set<std::string>& expected) {
  model::Budget budget = Steps(100'000);
  const auto report = dir::MakeDirExplorer(*system.service, options)->Explore(system.start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  if (!report.ok()) return false;
  ExpectSound(*system.service, system.start, *report);
  if (!report->complete) return false;
  std::set<std::string> found;
  for (const model::Violation& violation : report->violations) found.insert(violation.invariant);
  EXPECT_EQ(found, expected);
  return true;
}

// It finds the same broken invariants as a search of all states, wherever they show: in one
// component, or only in several together. And again, if it goes on where it was killed.
void CheckViolations(const model::System& system, uint64_t seed, const Components& components,
                     Tally& tally) {
  constexpr uint64_t kStatesMax = 3'000;
  const search::NaiveResult naive = search::NaiveSearch(*system.service, system.start, kStatesMax);
  if (!naive.finished) return;
  const std::set<std::string> expected = naive.ViolatedNames();
  dir::DirOptions options = EngineFor(seed, components);
  if (!ExpectViolated(system, options, expected)) return;
  ++tally.judged;
  tally.broken += expected.size();
  if (seed % 4 != 0) return;
  const std::string folder = dir::testing::TempFolder();
  const std::string path = folder + "/journal";
  options.journal = [&path](const Components& parts, const std::string& basis,
                            dir::EventNumbers& event_numbers) {
    return dir::JournalFile::Open(path, basis, parts, event_numbers);
  };
  EXPECT_TRUE(ExpectViolated(system, options, expected));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) * (seed % 100) / 100);
  EXPECT_TRUE(ExpectViolated(system, options, expected));
  std::filesystem::remove_all(folder);
  ++tally.lives;
}

bool EmptiesStreams(const integration::RandomServiceSpec& spec) {
  if (spec.network != model::NetworkKind::kStreams) return false;
  return std::any_of(spec.nodes.begin(), spec.nodes.end(), [](const integration::NodeSpec& node) {
    return node.budget.crashes_max > 0 || node.budget.breaks_max > 0 ||
           node.status == model::NodeStatus::kDown;
  });
}

// In a few of the possible ways. False if there was nothing to check.
bool CheckSeed(uint64_t seed, Tally& tally) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  const integration::RandomServiceSpec spec = integration::RandomSpec(seed);
  if (EmptiesStreams(spec)) return false;
  const model::System system = integration::MakeRandomSystem(spec);
  const bool check_invariants = seed % 2 == 0;
  const Interface interface = seed / 4 % 2 == 0 ? Interface::kSends : Interface::kSendsAndReceives;
  const Components components = ComponentsFor(seed, system.service->node_count());
  bool checked =
      CheckCase({system, components, /*exact=*/false, interface, check_invariants}, tally);
  checked |= CheckCase({system, components, /*exact=*/true, interface, check_invariants}, tally);
  if (checked) CheckViolations(system, seed, components, tally);
  return checked;
}

class DirDifferentialTest : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Shard, DirDifferentialTest, testing::Range(uint64_t{0}, kShards));

TEST_P(DirDifferentialTest, FindsTheTracesAndSkeletonsOfTheNaiveEnumeration) {
  Tally tally;
  const uint64_t wanted = Count() / kShards;
  for (uint64_t seed = 1 + GetParam() * 1'000'000; tally.services < wanted; ++seed) {
    tally.services += CheckSeed(seed, tally) ? 1 : 0;
    if (HasFailure()) break;
  }
  RecordProperty("cases", static_cast<int>(tally.cases));
  RecordProperty("traces", static_cast<int>(tally.traces));
  RecordProperty("skeletons", static_cast<int>(tally.skeletons));
  RecordProperty("nested", static_cast<int>(tally.nested));
  EXPECT_GT(tally.skeletons, tally.services);
  RecordProperty("broken", static_cast<int>(tally.broken));
  EXPECT_GT(tally.nested, tally.cases / 16);
  EXPECT_GT(tally.judged, tally.services / 2);
  EXPECT_GT(tally.broken, tally.services / 4);
  EXPECT_GT(tally.lives, tally.services / 16);
}

// Services on which something was missed once.
TEST(DirSeedsTest, NothingIsMissedAnyMore) {
  Tally tally;
  // A message was sent to a node that had failed by then, in a run that was given up as redundant:
  // nobody tried to deliver it before.
  EXPECT_TRUE(CheckSeed(1'000'726, tally));
  // Who fell silent was shown by a trace that was complete only where less could be received.
  EXPECT_TRUE(CheckSeed(187, tally));
  EXPECT_TRUE(CheckSeed(161, tally));
  EXPECT_TRUE(CheckSeed(2'001'105, tally));
  // ... or only where a node could have received something else, had it not failed.
  EXPECT_TRUE(CheckSeed(1166, tally));
  EXPECT_TRUE(CheckSeed(4701, tally));
  // What one event had made impossible could have happened before it, but after what came later.
  EXPECT_TRUE(CheckSeed(1'011'335, tally));
}

}  // namespace
}  // namespace foretell::tests
