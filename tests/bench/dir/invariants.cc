#include <algorithm>
#include <chrono>

#include "foretell/dir/trace/cut_checker.h"
#include "foretell/predictors/engines.h"
#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Subject {
  const char* name;
  const char* service;
  const char* scenario;
};
constexpr Subject kSubjects[] = {
    {"8 philosophers", "philosophers", "ring-8"}, {"DPhi-2", "philosophers", "dphi-2"},
    {"DPhi-3", "philosophers", "dphi-3"},         {"Pam-3", "pam", "pam-3"},
    {"Pastry-3", "pastry", "pastry-3"},           {"Chord-3", "chord", "chord-3"}};

model::Budget BudgetOf(Seconds time) {
  return model::Budget(
      {.bytes_max = kBytesMax,
       .deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(time)},
      [] { return Clock::now(); });
}

dir::Components ComponentsOf(const model::System& system) {
  if (system.components.empty()) return SingleNodes(system);
  return *dir::Components::Parse(system.components, system.service->node_count());
}

// What is shown for the sake of invariants.
enum class Show : uint8_t { kNothing, kWhatConcernsOthers, kAll };

// Looks at every skeleton. Nothing is broken here.
class Cuts final : public dir::SkeletonVisitor {
 public:
  explicit Cuts(dir::CutChecker& cuts) : cuts_(cuts) {}
  bool Visit(const dir::Skeleton& skeleton, dir::Composer& composer,
             model::Budget& budget) override {
    return cuts_.Check(composer.Replay(skeleton.trace), budget);
  }
  bool Confirm(const dir::Skeleton&, dir::Composer&, model::InvariantSet) override { return false; }

 private:
  dir::CutChecker& cuts_;
};

// Finds the skeletons, and checks them unless nothing is shown. Exact dependencies.
DirRun Checked(const model::System& system, Show show, Seconds budget) {
  model::Budget limits = BudgetOf(budget);
  const Clock::time_point begin = Clock::now();
  dir::EventNumbers event_numbers;
  dir::GrownNodeGraphs grown(*system.service, system.start, limits);
  const auto dependency =
      dir::Dependency::Exact(grown, show != Show::kNothing, event_numbers, limits);
  model::Budget nothing({.steps_max = 0}, [] { return Clock::now(); });
  dir::GrownNodeGraphs unknown(*system.service, system.start, nothing);
  const dir::InterfaceProjection projection(*system.service, show == Show::kAll ? unknown : grown,
                                            limits);
  const dir::Components components = ComponentsOf(system);
  const dir::CheckSetting setting{*system.service, system.start, components,
                                  event_numbers,   dependency,   dir::Interface::kSends,
                                  &projection};
  const dir::CheckSetting blind{*system.service, system.start, components, event_numbers,
                                dependency};
  const auto jobs = dir::MakeInlineEngine();
  dir::GlobalExplorer explorer(show == Show::kNothing ? blind : setting, dir::Checker::kDpor,
                               *jobs);
  dir::CutChecker cuts(explorer.table(), system.start, dir::AllNodes(system.service->node_count()));
  Cuts visitor(cuts);
  DirRun run;
  run.complete = explorer.Explore(limits, show == Show::kNothing ? nullptr : &visitor, nullptr);
  run.time = Clock::now() - begin;
  run.tally = explorer.tally();
  return run;
}

std::string EngineTime(const model::System& system, const std::string& name, Seconds budget) {
  for (const predictors::Engine& engine : predictors::AllEngines()) {
    if (engine.name != name) continue;
    model::Budget limits = BudgetOf(budget);
    const Clock::time_point begin = Clock::now();
    const auto report = engine.make(*system.service, {})->Explore(system.start, limits);
    return TimeUntil(Clock::now() - begin, report.ok() && report->complete);
  }
  return kNoFigure;
}

}  // namespace

bool PrintInvariants(const DirPlan& plan, std::ostream& out) {
  const Seconds budget = plan.tiny ? plan.budget : std::min(plan.budget, Seconds(20));
  Table table;
  table.Add({"", "skeletons:", "what concerns", "all that in-", "time:", "all that in-", "engine",
             "engine"});
  table.Add({"", "no invariants", "others shows", "variants see", "others", "variants see", "por",
             "lmc"});
  bool right = true;
  for (const Subject& subject : kSubjects) {
    if (plan.tiny && &subject != kSubjects) break;
    const model::System system = SystemOf(subject.service, subject.scenario);
    const DirRun none = Checked(system, Show::kNothing, budget);
    const DirRun others = Checked(system, Show::kWhatConcernsOthers, budget);
    const DirRun all = Checked(system, Show::kAll, budget);
    const auto skeletons = [](const DirRun& run) {
      return CountSoFar(static_cast<double>(run.tally.skeletons), run.complete);
    };
    right = right && !(others.complete && others.tally.skeletons < none.tally.skeletons) &&
            !(others.complete && all.complete && all.tally.skeletons < others.tally.skeletons);
    table.Add({subject.name, skeletons(none), skeletons(others), skeletons(all),
               TimeUntil(others.time, others.complete), TimeUntil(all.time, all.complete),
               plan.tiny ? kNoFigure : EngineTime(system, "por", budget),
               plan.tiny ? kNoFigure : EngineTime(system, "lmc", budget)});
  }
  out << "INVARIANTS (section 6.2): what has to show so that they can be checked; exact, sends "
         "only\n\n"
      << table.Text(2) << "\nAt most " << Time(budget)
      << " for each. Times include finding out what depends on what; one thread, one run.\n"
      << (right ? "" : "NOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
