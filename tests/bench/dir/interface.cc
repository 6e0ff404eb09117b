#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

// How many traces there really are, if that is known.
std::optional<double> TracesOf(const DirResult& result) {
  if (result.plain.complete) return static_cast<double>(result.plain.traces);
  if (result.reduced.complete) return result.reduced.tally.global_traces;
  return std::nullopt;
}

std::string Covered(const DirRun& sends, std::optional<double> traces) {
  if (!sends.complete || !traces) return kNoFigure;
  const double covered = sends.tally.global_traces;
  if (!IsOff(covered, *traces)) return "all";
  return CountSoFar(covered, true) + " of " + CountSoFar(*traces, true);
}

}  // namespace

bool PrintInterfaces(const DirResults& results, std::ostream& out) {
  Table table;
  table.Add({"", "skeletons:", "", "", "time:", "", "sends:"});
  table.Add({"", "sends+receives", "sends", "fewer", "sends+receives", "sends", "traces in n_g"});
  bool right = true;
  for (const DirResult& result : results) {
    const DirRun& sends = result.sends;
    const DirRun& both = result.reduced;
    const std::optional<double> traces = TracesOf(result);
    right = right && (!sends.complete || !traces || !IsOff(sends.tally.global_traces, *traces));
    const auto all = static_cast<double>(both.tally.skeletons);
    const auto skeletons = static_cast<double>(sends.tally.skeletons);
    table.Add({result.name(), CountSoFar(all, both.complete), CountSoFar(skeletons, sends.complete),
               both.complete && sends.complete ? Times(all / skeletons) : kNoFigure,
               TimeUntil(both.time, both.complete), TimeUntil(sends.time, sends.complete),
               Covered(sends, traces)});
  }
  out << "INTERFACE: only what is sent, against what is sent and received\n\n"
      << table.Text(2) << "\nEngine dir has sends only; all traces must be in n_g all the same.\n"
      << (right ? "" : "NOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
