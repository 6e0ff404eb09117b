#include <algorithm>

#include "tests/bench/dir_sections.h"

namespace foretell::bench {

bool PrintInterfaces(const DirPlan& plan, const DirResults& results, std::ostream& out) {
  TextTable table;
  table.Add({"", "skeletons:", "", "", "time:", "", "n_g:"});
  table.Add({"", "sends+receives", "sends", "fewer", "sends+receives", "sends", "sends"});
  for (const DirResult& result : results) {
    DirSubject subject = SubjectOf(*result.row, result.mode);
    DirRun sends = subject.Reduced(dir::Interface::kSends, plan.budget);
    if (!plan.tiny && sends.time < Seconds(1)) {
      sends.time = std::min(sends.time, Sample([&] {
                              return subject.Reduced(dir::Interface::kSends, plan.budget).time;
                            }));
    }
    const DirRun& both = result.reduced;
    const auto skeletons = static_cast<double>(sends.tally.skeletons);
    const auto all = static_cast<double>(both.tally.skeletons);
    const bool complete = sends.complete && both.complete;
    const bool same = sends.tally.global_traces == both.tally.global_traces;
    table.Add({result.name(), CountSoFar(all, both.complete), CountSoFar(skeletons, sends.complete),
               complete ? Times(all / skeletons) : kNoFigure,
               (both.complete ? "" : "> ") + Time(both.time),
               (sends.complete ? "" : "> ") + Time(sends.time),
               !complete ? kNoFigure
               : same    ? "the same"
                         : "at least " + CountSoFar(sends.tally.global_traces, true)});
  }
  out << "INTERFACE: only what is sent, against what is sent and received\n\n"
      << table.Text(2)
      << "\nWith sends only, n_g is a lower bound where a component can fall silent: n_g is not\n"
      << "validated there.\n";
  return true;
}

}  // namespace foretell::bench
