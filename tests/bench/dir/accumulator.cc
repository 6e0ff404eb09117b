#include "foretell/integration/examples/accumulator.h"

#include <cmath>

#include "foretell/tests/bench/dir/sections.h"

namespace foretell::bench {
namespace {

constexpr Seconds kLong(600);

struct Counts {
  uint64_t local_traces = 0;
  uint64_t traces = 0;  // Of the plain search.
  bool complete = false;
};

Counts CountsOf(model::System system, dir::DependencyMode mode) {
  const dir::Components nodes = SingleNodes(system);
  DirSubject subject(std::move(system), nodes, mode);
  const DirRun reduced =
      subject.Reduced(dir::Interface::kSendsAndReceives, dir::Checker::kDpor, kLong);
  const PlainRun plain = subject.Plain(dir::Checker::kDpor, kLong);
  const bool validated = reduced.tally.global_traces == static_cast<double>(plain.traces);
  return {reduced.tally.local_traces, plain.traces,
          reduced.complete && plain.complete && validated};
}

}  // namespace

bool PrintAccumulators(const DirPlan& plan, std::ostream& out) {
  const std::vector<std::pair<uint32_t, uint32_t>> sizes =
      plan.tiny ? std::vector<std::pair<uint32_t, uint32_t>>{{2, 2}, {3, 3}}
                : std::vector<std::pair<uint32_t, uint32_t>>{{1, 1}, {2, 2}, {2, 4}, {3, 3},
                                                             {5, 2}, {4, 4}, {2, 8}, {9, 4}};
  Table table;
  table.Add({"", "DIR: local", "", "plain search:", ""});
  table.Add({"section 2.3", "executions", "1 + m(n + 1)", "executions", "(n + 1)^m"});
  bool right = true;
  const auto add = [&](const std::string& name, const Counts& counts, uint64_t local,
                       uint64_t traces) {
    right = right && counts.complete && counts.local_traces == local && counts.traces == traces;
    table.Add(
        {name, Count(counts.local_traces), Count(local), Count(counts.traces), Count(traces)});
  };
  for (const dir::DependencyMode mode : kModes) {
    const std::string name = ModeName(mode);
    add("figure 1 (paper: 14, 18), " + name, CountsOf(SystemOf("accumulator", "figure-1"), mode),
        14, 18);
    for (const auto& [n, m] : sizes) {
      const Counts counts = CountsOf(integration::examples::MakeAccumulatorSystem(n, m), mode);
      add("n = " + std::to_string(n) + ", m = " + std::to_string(m) + ", " + name, counts,
          1 + m * (n + 1), static_cast<uint64_t>(std::llround(std::pow(n + 1, m))));
    }
  }
  out << "SECTION 2.3: a client sends n numbers to m servers, each of which writes its sum once\n\n"
      << table.Text(2) << (right ? "\nAll as the paper says.\n" : "\nNOT AS IT MUST BE\n");
  return right;
}

}  // namespace foretell::bench
