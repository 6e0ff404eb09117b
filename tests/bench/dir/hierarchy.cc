#include <algorithm>

#include "foretell/integration/philosophers/family.h"
#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

constexpr Seconds kPatience(20);

// A ring of philosophers in levels[0] components of levels[1] parts of ...
struct Case {
  uint32_t philosophers;
  dir::DependencyMode mode;
  std::vector<uint32_t> levels;

  std::string name() const {
    std::string text = std::to_string(philosophers) + ", " + ModeName(mode) + ": ";
    uint32_t size = philosophers;
    for (size_t i = 0; i < levels.size(); ++i) {
      text += (i > 0 ? " of " : "") + std::to_string(levels[i]);
      size /= levels[i];
    }
    return text + " of " + std::to_string(size);
  }
};

std::vector<Case> CasesOf(const DirPlan& plan) {
  constexpr auto kExact = dir::DependencyMode::kExact;
  constexpr auto kConservative = dir::DependencyMode::kConservative;
  std::vector<Case> cases;
  if (plan.tiny) {
    for (const auto mode : kModes) {
      cases.insert(cases.end(), {{8, mode, {2}}, {8, mode, {2, 2}}, {8, mode, {4}}});
    }
    return cases;
  }
  cases.insert(cases.end(), {{16, kExact, {2}},
                             {16, kExact, {8}},
                             {16, kExact, {2, 2}},
                             {16, kExact, {2, 4}},
                             {16, kExact, {2, 2, 2}},
                             {24, kExact, {3}},
                             {24, kExact, {12}},
                             {24, kExact, {3, 2, 2}},
                             {16, kConservative, {2}},
                             {16, kConservative, {8}},
                             {16, kConservative, {2, 2}},
                             {16, kConservative, {2, 2, 2}},
                             {24, kConservative, {3, 2, 2}},
                             {64, kExact, {2, 2, 2, 2, 2}}});
  return cases;
}

bool IsWrong(const Case& one, const DirRun& run) {
  return run.complete && IsOff(run.tally.global_traces, RingTraces(one.philosophers, one.mode));
}

}  // namespace

bool PrintHierarchies(const DirPlan& plan, std::ostream& out) {
  Table table;
  table.Add({"", "global", "skeletons", "local", "", "n_g as", ""});
  table.Add(
      {"philosophers: components", "skeletons", "of parts", "traces", "n_g", "expected", "time"});
  bool right = true;
  for (const Case& one : CasesOf(plan)) {
    model::System system = integration::philosophers::MakeRing(one.philosophers);
    dir::Components components = Consecutive(system, one.levels);
    DirSubject subject(std::move(system), std::move(components), one.mode);
    // Most end at once; those that do not would never.
    const Seconds budget = std::min(plan.budget, kPatience);
    const DirRun run =
        subject.Reduced(dir::Interface::kSendsAndReceives, dir::Checker::kDpor, budget);
    right = right && !IsWrong(one, run);
    table.Add({one.name(), CountSoFar(static_cast<double>(run.tally.skeletons), run.complete),
               one.levels.size() == 1
                   ? kNoFigure
                   : CountSoFar(static_cast<double>(run.tally.inner_skeletons), run.complete),
               CountSoFar(static_cast<double>(run.tally.local_traces), run.complete),
               CountSoFar(run.tally.global_traces, run.complete),
               !run.complete ? kNoFigure : (IsWrong(one, run) ? "NO" : "yes"),
               TimeUntil(run.time, run.complete)});
  }
  out << "HIERARCHY (section 6.1): components of components, on rings of philosophers\n\n"
      << table.Text(2)
      << "\n\"2 of 2 of 4\": two components, each of two parts of four philosophers. Local "
         "traces:\n"
         "all that were explored in parts. Expected: 2^n - 1 in exact mode,\n"
         "(2^n - 1)(3^n - 2^n) in conservative mode. At most "
      << Time(std::min(plan.budget, kPatience)) << " for each.\n"
      << (right ? "" : "NOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
