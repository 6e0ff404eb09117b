#include "foretell/tests/bench/dir/runs.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "foretell/integration/catalog.h"
#include "foretell/model/check.h"
#include "foretell/tests/support/hierarchy.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

model::Budget BudgetOf(Seconds budget) {
  return model::Budget(
      {.steps_max = kStepsMax,
       .bytes_max = kBytesMax,
       .deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(budget)},
      [] { return Clock::now(); });
}

dir::Dependency DependencyOf(const model::System& system, dir::DependencyMode mode,
                             dir::EventNumbers& event_numbers, Seconds& time) {
  if (mode == dir::DependencyMode::kConservative) return dir::Dependency::Conservative();
  const Clock::time_point begin = Clock::now();
  model::Budget budget = model::Budget::Unlimited();
  dir::GrownNodeGraphs grown(*system.service, system.start, budget);
  dir::Dependency dependency = dir::Dependency::Exact(grown, false, event_numbers, budget);
  time = Clock::now() - begin;
  return dependency;
}

}  // namespace

DirSubject::DirSubject(model::System system, dir::Components components, dir::DependencyMode mode)
    : system_(std::move(system)),
      components_(std::move(components)),
      whole_(dir::Components::Whole(system_.service->node_count())),
      dependency_(DependencyOf(system_, mode, event_numbers_, dependency_time_)) {}

DirRun DirSubject::Reduced(dir::Interface interface, dir::Checker checker, Seconds budget,
                           dir::JobEngine& jobs) {
  model::Budget limits = BudgetOf(budget);
  const Clock::time_point begin = Clock::now();
  const dir::CheckSetting setting{*system_.service, system_.start, components_,
                                  event_numbers_,   dependency_,   interface};
  dir::GlobalExplorer explorer(setting, checker, jobs);
  DirRun run;
  run.complete = explorer.Explore(limits, nullptr, nullptr);
  run.time = Clock::now() - begin;
  run.tally = explorer.tally();
  explorer.CountTraces(run.tally);
  return run;
}

DirRun DirSubject::Reduced(dir::Interface interface, dir::Checker checker, Seconds budget) {
  const std::unique_ptr<dir::JobEngine> jobs = dir::MakeInlineEngine();
  return Reduced(interface, checker, budget, *jobs);
}

PlainRun DirSubject::Plain(dir::Checker checker, Seconds budget) {
  model::Budget limits = BudgetOf(budget);
  const Clock::time_point begin = Clock::now();
  const dir::CheckSetting setting{*system_.service, system_.start, whole_, event_numbers_,
                                  dependency_};
  dir::NumberedTable table(*system_.service, event_numbers_);
  dir::LocalExplorer explorer(setting, table, whole_.nodes(dir::ComponentId(0)), checker);
  PlainRun run;
  dir::LocalTraces traces;
  run.complete = explorer.Explore({}, limits, traces) && !explorer.figures().cut_off;
  run.time = Clock::now() - begin;
  for (const auto& [behaviour, count] : traces) run.traces += count;
  return run;
}

model::System SystemOf(const std::string& service, const std::string& scenario) {
  const model::Catalog catalog = integration::BuiltinServices();
  const model::ServiceFamily* const family = model::FindFamily(catalog, service);
  FORETELL_CHECK(family != nullptr);
  auto system = family->Make(scenario, "");
  FORETELL_CHECK(system.ok());
  return *std::move(system);
}

dir::Components SingleNodes(const model::System& system) {
  return dir::Components::Nodes(system.service->node_count());
}

dir::Components Consecutive(const model::System& system, std::span<const uint32_t> levels) {
  const uint32_t nodes = system.service->node_count();
  auto components = dir::Components::Parse(tests::Hierarchy(0, nodes, levels), nodes);
  FORETELL_CHECK(components.ok());
  return *std::move(components);
}

// Who is first at each fork: all but one of 2^n. If any two steps of a fork depend on each other,
// also how long the second waits (integration/philosophers/philosophers_test.cc).
double RingTraces(uint32_t philosophers, dir::DependencyMode mode) {
  const double two = std::pow(2, philosophers);
  if (mode == dir::DependencyMode::kExact) return two - 1;
  return (two - 1) * (std::pow(3, philosophers) - two);
}

const char* ModeName(dir::DependencyMode mode) {
  return mode == dir::DependencyMode::kExact ? "exact" : "conservative";
}

std::string CountSoFar(double count, bool complete) {
  if (!complete && count == 0) return kNoFigure;
  const std::string sign = complete ? "" : "> ";
  if (count < kExactBelow) return sign + Count(static_cast<uint64_t>(count));
  return sign + absl::StrFormat("%.6g", count);
}

std::string TimeUntil(Seconds time, bool complete) { return (complete ? "" : "> ") + Time(time); }

}  // namespace foretell::bench
