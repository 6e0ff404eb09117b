#include <algorithm>
#include <cmath>

#include "foretell/tests/bench/breakdown.h"
#include "foretell/tests/bench/lmc_sections.h"

namespace foretell::bench {
namespace {

// The run whose total is the median, so that its parts add up.
Breakdown Typical(const Bench& bench, const model::System& system) {
  std::vector<Breakdown> runs = Repeat(bench.plan(), [&] { return BreakDown(system); });
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const Breakdown& a, const Breakdown& b) { return a.total() < b.total(); });
  return *middle;
}

Table SplitOf(const Breakdown& ours, const Measured& lmc) {
  Table table;
  const auto add = [&](const char* part, Seconds time) {
    const auto percent = static_cast<uint64_t>(std::llround(100 * (time / ours.total())));
    table.Add({part, Time(time), Count(percent) + " %"});
  };
  table.Add({"figure 13: where the time goes, lmc", "ours", "share"});
  add("exploring node graphs (LMC-explore)", ours.explore);
  add("creating system states (LMC-system-state)", ours.combine);
  add("soundness verification (LMC-OPT)", ours.verify);
  add("sum", ours.total());
  table.Add({"whole check by the engine, audit and replay included", Time(lmc.time), ""});
  return table;
}

Table CountsOf(const Breakdown& ours, const Measured& lmc) {
  Table table;
  const uint64_t checks = std::max<uint64_t>(ours.checks, 1);
  table.Add({"soundness verification, lmc", "paper", "ours"});
  table.Add({"system states created", "-", Count(ours.system_states)});
  table.Add({"verifications", "773", Count(ours.checks)});
  table.Add({"... of these rejected", "-", Count(ours.rejections)});
  table.Add({"time per verification", "45 ms", Time(ours.verify / static_cast<double>(checks))});
  table.Add({"event sequences enumerated", "427,731", "none"});
  table.Add({"transitions searched instead", "-", Count(ours.verify_transitions)});
  table.Add({"time until the violation", "11 s", Time(lmc.time)});
  return table;
}

}  // namespace

bool PrintPlantedBug(const Bench& bench, std::ostream& out) {
  const agent::Selection selection = bench.Paxos("learned-by-one", "last-response");
  const Breakdown ours = Typical(bench, selection.system);
  const Measured lmc = bench.Check(selection, "lmc");
  const Measured por = bench.Check(selection, "por");
  const bool found = ours.found && lmc.report.violations.size() == 1 &&
                     por.report.violations.size() == 1 &&
                     lmc.report.stats.soundness_checks == ours.checks &&
                     lmc.report.stats.node_states == ours.node_states;
  out << "PLANTED BUG (learned-by-one, bug last-response): "
      << (found ? "violation found and replayed\n" : "NOT AS IT MUST BE\n")
      << "Paper: no figures in its text; soundness verification is the major part.\n\n"
      << SplitOf(ours, lmc).Text(1) << "\n"
      << CountsOf(ours, lmc).Text(1) << "\nThe same violation found by por in " << Time(por.time)
      << ".\n";
  return found;
}

}  // namespace foretell::bench
