#include <iostream>

#include "foretell/tests/bench/lmc_sections.h"

namespace foretell::bench {
namespace {

// What SPIN counts for the same model.
constexpr uint64_t kStates = 88'244'942;
constexpr uint64_t kTransitions = 867'355'329;

uint64_t Rate(const Measured& m, Seconds time) {
  const auto transitions = static_cast<double>(m.report.stats.transitions.value_or(0));
  return static_cast<uint64_t>(transitions / time.count());
}

std::string BytesPerState(const Measured& m) {
  const uint64_t states = m.report.stats.global_states.value_or(0);
  if (states == 0) return kNoFigure;
  return Count((m.report.stats.bytes.value_or(0) + states - 1) / states);  // Never flattering.
}

Table::Row RowOf(const std::string& name, const Measured& m) {
  const model::Stats& stats = m.report.stats;
  return {name,
          m.report.complete ? "yes" : "no",
          Count(stats.transitions),
          Count(stats.handler_executions),
          Count(stats.node_states),
          Count(stats.system_states),
          Count(stats.global_states),
          Time(m.time),
          Time(m.cpu),
          Bytes(stats.bytes),
          Count(m.runs)};
}

// What the unreduced search says about the goals; whether its counts are right if it ran to its
// end.
bool PrintUnreduced(const Measured& global, std::ostream& out) {
  const model::Stats& stats = global.report.stats;
  out << "\nUnreduced, transitions per second: " << Count(Rate(global, global.time))
      << " by the wall clock, " << Count(Rate(global, global.cpu))
      << " of processor time (goal: 8,000,000).\n"
      << "Unreduced, bytes per state: " << BytesPerState(global) << " (goal: at most 24).\n";
  if (!global.report.complete) {
    out << "Unreduced: stopped after " << Count(stats.transitions)
        << " transitions; --full runs it to its end.\n";
    return true;
  }
  const bool same = stats.global_states == kStates && stats.transitions == kTransitions;
  out << "Unreduced: " << Count(stats.global_states) << " states, " << Count(stats.transitions)
      << " transitions; SPIN counts " << Count(kStates) << " and " << Count(kTransitions) << ": "
      << (same ? "the same.\n" : "DIFFERENT.\n");
  return same;
}

void PrintRatio(const Measured& global, const Measured& ours, std::ostream& out) {
  out << ours.engine << ": " << (global.report.complete ? "" : "at least ")
      << Times(global.time / ours.time) << " faster than the unreduced search (goal: 100x)"
      << (global.report.complete ? ".\n" : ", of which only a part was run.\n");
}

}  // namespace

bool PrintTwoProposals(const Bench& bench, std::ostream& out) {
  const agent::Selection selection = bench.Paxos("two-proposals");
  const Measured lmc = bench.Check(selection, "lmc");
  const Measured por = bench.Check(selection, "por");
  const Measured minimised = bench.Check(selection, "global");
  predictors::EngineOptions unreduced;
  unreduced.minimise = false;
  if (bench.plan().full) std::cerr << "The unreduced search takes minutes and 2 GB of memory.\n";
  const Measured global = bench.CheckOnce(
      selection, "global", bench.plan().full ? UINT64_MAX : bench.plan().steps, unreduced);
  bool silent = lmc.report.complete && por.report.complete && minimised.report.complete;
  for (const Measured* m : {&global, &minimised, &lmc, &por})
    silent &= m->report.violations.empty();
  Table table;
  table.Add({"", "", "", "handler", "node", "system", "global", "", "processor", "", "median"});
  table.Add({"engine", "complete", "transitions", "runs", "states", "states", "states", "time",
             "time", "memory", "of runs"});
  table.Add(RowOf(global.report.complete ? "unreduced" : "unreduced, part", global));
  table.Add(RowOf("global, minimised", minimised));
  table.Add(RowOf("lmc", lmc));
  table.Add(RowOf("por", por));
  out << "TWO PROPOSALS (two of three nodes propose once): "
      << (silent ? "no violation\n" : "NOT AS IT MUST BE\n")
      << "Section 5.2 of the paper: not finished in hours; B-DFS to depth 20 of 41, LMC to depth "
         "39 of 68.\n\n"
      << table.Text(2);
  const bool counts = PrintUnreduced(global, out);
  PrintRatio(global, lmc, out);
  PrintRatio(global, por, out);
  return counts && silent;
}

}  // namespace foretell::bench
