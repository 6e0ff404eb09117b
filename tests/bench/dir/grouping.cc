#include "foretell/integration/philosophers/family.h"
#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {

bool PrintGrouping(const DirPlan& plan, std::ostream& out) {
  constexpr uint32_t kComponents = 2;
  const uint32_t count = plan.tiny ? 4 : 8;
  Table table;
  table.Add({"", "skeletons", "local traces", "n_g", "plain search", "time"});
  bool right = true;
  for (const bool good : {true, false}) {
    const auto groups = good ? integration::philosophers::Consecutive(count, kComponents)
                             : integration::philosophers::Alternating(count, kComponents);
    DirSubject subject(integration::philosophers::MakeRing(count),
                       *dir::Components::Of(groups, 2 * count), dir::DependencyMode::kExact);
    const DirRun run =
        subject.Reduced(dir::Interface::kSendsAndReceives, dir::Checker::kDpor, plan.budget);
    const PlainRun plain = subject.Plain(dir::Checker::kDpor, plan.budget);
    right = right && !(run.complete && plain.complete &&
                       run.tally.global_traces != static_cast<double>(plain.traces));
    table.Add({good ? "consecutive: 2 shared forks"
                    : "alternating: " + std::to_string(count) + " shared forks",
               CountSoFar(static_cast<double>(run.tally.skeletons), run.complete),
               CountSoFar(static_cast<double>(run.tally.local_traces), run.complete),
               CountSoFar(run.tally.global_traces, run.complete),
               CountSoFar(static_cast<double>(plain.traces), plain.complete),
               TimeUntil(run.time, run.complete)});
  }
  out << "GROUPING (section 6.1): a ring of " << count
      << " philosophers in two components, exact\n\n"
      << table.Text(1) << (right ? "" : "\nNOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
