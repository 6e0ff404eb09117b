#include <sys/resource.h>

#include <iostream>

#include "foretell/tests/bench/lmc_sections.h"

namespace foretell::bench {
namespace {

// The most memory that this process ever had.
uint64_t PeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

bool PrintThreeProposals(const Bench& bench, std::ostream& out) {
  out << "THREE PROPOSALS (each of three nodes proposes once): ";
  if (!bench.plan().full) {
    out << "not run; --full does.\n";
    return true;
  }
  std::cerr << "Three proposals take half a minute on a busy machine.\n";
  const Measured por = bench.CheckOnce(bench.Paxos("three-proposals"), "por");
  const model::Stats& stats = por.report.stats;
  const bool right = por.report.complete && por.report.violations.empty();
  out << (right ? "no violation, complete\n" : "NOT AS IT MUST BE\n")
      << "Nobody else has this space. Engine por over classes of node states:\n"
      << Count(stats.global_states) << " states stored, " << Count(stats.transitions)
      << " transitions, " << Count(stats.node_states) << " node states in " << Count(stats.classes)
      << " classes, " << Count(stats.handler_executions) << " handler runs.\n"
      << "Time: " << Time(por.time) << ", of which processor time " << Time(por.cpu)
      << " (goal: 10 s).\n"
      << "Visited states: " << Bytes(stats.visited_bytes)
      << "; most memory of the whole process: " << Bytes(PeakBytes()) << " (goal: 500 MiB).\n";
  return right;
}

}  // namespace foretell::bench
