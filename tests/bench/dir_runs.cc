#include "tests/bench/dir_runs.h"

#include <utility>

#include "integration/catalog.h"
#include "model/check.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

model::Budget BudgetOf(Seconds budget) {
  return model::Budget(
      {.steps_max = kStepsMax,
       .deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(budget)},
      [] { return Clock::now(); });
}

dir::Components Divided(const model::System& system, const dir::Components::Groups& groups) {
  auto components = dir::Components::Of(groups, system.service->node_count());
  FORETELL_CHECK(components.ok());
  return *std::move(components);
}

dir::Dependency DependencyOf(const model::System& system, dir::DependencyMode mode,
                             dir::Lexicon& lexicon, Seconds& time) {
  if (mode == dir::DependencyMode::kConservative) return dir::Dependency::Conservative();
  const Clock::time_point begin = Clock::now();
  model::Budget budget = model::Budget::Unlimited();
  dir::Dependency dependency =
      dir::Dependency::Exact(*system.service, system.start, false, lexicon, budget);
  time = Clock::now() - begin;
  return dependency;
}

}  // namespace

DirSubject::DirSubject(model::System system, const dir::Components::Groups& groups,
                       dir::DependencyMode mode)
    : system_(std::move(system)),
      components_(Divided(system_, groups)),
      whole_(dir::Components::Whole(system_.service->node_count())),
      dependency_(DependencyOf(system_, mode, lexicon_, dependency_time_)) {}

DirRun DirSubject::Reduced(dir::Interface interface, Seconds budget, dir::JobEngine& jobs) {
  model::Budget limits = BudgetOf(budget);
  const Clock::time_point begin = Clock::now();
  const dir::Setting setting{*system_.service, system_.start, components_,
                             lexicon_,         dependency_,   interface};
  dir::GlobalExplorer explorer(setting, dir::Checker::kDpor, jobs);
  DirRun run;
  run.complete = explorer.Explore(limits, nullptr, nullptr);
  run.time = Clock::now() - begin;
  run.tally = explorer.tally();
  explorer.CountTraces(run.tally);
  return run;
}

DirRun DirSubject::Reduced(dir::Interface interface, Seconds budget) {
  const std::unique_ptr<dir::JobEngine> jobs = dir::MakeInlineEngine();
  return Reduced(interface, budget, *jobs);
}

PlainRun DirSubject::Plain(Seconds budget) {
  model::Budget limits = BudgetOf(budget);
  const Clock::time_point begin = Clock::now();
  const dir::Setting setting{*system_.service, system_.start, whole_, lexicon_, dependency_};
  dir::Workbench bench(*system_.service, lexicon_);
  dir::LocalExplorer explorer(setting, bench, whole_.nodes(dir::ComponentId(0)),
                              dir::Checker::kDpor);
  PlainRun run;
  dir::LocalTraces traces;
  run.complete = explorer.Explore({}, limits, traces) && !explorer.figures().cut_off;
  run.time = Clock::now() - begin;
  for (const auto& [behaviour, count] : traces) run.traces += count;
  return run;
}

model::System SystemOf(const std::string& service, const std::string& scenario) {
  for (const auto& family : integration::BuiltinServices()) {
    if (family->name() != service) continue;
    auto system = family->Make(scenario, "");
    FORETELL_CHECK(system.ok());
    return *std::move(system);
  }
  FORETELL_CHECK(false);
  return {};
}

dir::Components::Groups SingleNodes(const model::System& system) {
  dir::Components::Groups groups;
  for (uint32_t node = 0; node < system.service->node_count(); ++node) {
    groups.push_back({model::NodeId(node)});
  }
  return groups;
}

const char* ModeName(dir::DependencyMode mode) {
  return mode == dir::DependencyMode::kExact ? "exact" : "conservative";
}

std::string CountSoFar(double count, bool complete) {
  if (!complete && count == 0) return kNoFigure;
  return (complete ? "" : "> ") + Count(static_cast<uint64_t>(count));
}

std::string TimeUntil(Seconds time, bool complete) { return (complete ? "" : "> ") + Time(time); }

}  // namespace foretell::bench
