#include <array>

#include "foretell/tests/bench/lmc_sections.h"

namespace foretell::bench {
namespace {

// One row of figures 10 to 12, by our engine's name.
struct PaperRow {
  const char* name;
  const char* engine;
  const char* transitions;
  const char* system_states;
  const char* time;
  const char* memory;
  const char* faster;  // Than B-DFS.
  const char* fewer;   // Transitions than B-DFS.
};

constexpr std::array<PaperRow, 4> kPaper = {{
    {"B-DFS", "global", "157,332", "-", "1514 s", "< 1 MB", "1x", "1x"},
    {"LMC-GEN", "lmc-gen", "1,186", "-", "5.16 s", "~200 KB", "~300x", "~132x"},
    {"LMC-OPT", "lmc", "1,186", "0", "0.189 s", "~200 KB", "~8,000x", "~132x"},
    {"-", "por", "-", "-", "-", "-", "-", "-"},
}};

// What SPIN counts for the same model.
constexpr uint64_t kStates = 7'068;
constexpr uint64_t kTransitions = 37'012;

double FewerTransitions(const Measured& global, const Measured& ours) {
  return static_cast<double>(global.report.stats.transitions.value_or(0)) /
         static_cast<double>(ours.report.stats.transitions.value_or(1));
}

std::string NameOf(const PaperRow& paper) { return std::string(paper.name) + " / " + paper.engine; }

// By engine, in the order of kPaper; the unreduced search comes first.
using All = std::vector<Measured>;

Table Explored(const All& all) {
  Table table;
  table.Add(
      {"", "paper:", "ours:", "paper:", "ours:", "handler", "node", "paper:", "ours:", "global"});
  table.Add({"figure 11", "transitions", "transitions", "fewer", "fewer", "runs", "states",
             "system states", "system states", "states"});
  for (size_t i = 0; i < all.size(); ++i) {
    const model::Stats& stats = all[i].report.stats;
    table.Add({NameOf(kPaper[i]), kPaper[i].transitions, Count(stats.transitions), kPaper[i].fewer,
               Times(FewerTransitions(all.front(), all[i])), Count(stats.handler_executions),
               Count(stats.node_states), kPaper[i].system_states, Count(stats.system_states),
               Count(stats.global_states)});
  }
  return table;
}

Table Spent(const All& all) {
  Table table;
  table.Add({"", "paper:", "ours:", "paper:", "ours:", "paper:", "ours:", "median"});
  table.Add({"figures 10, 12", "time", "time", "faster", "faster", "memory", "memory", "of runs"});
  for (size_t i = 0; i < all.size(); ++i) {
    table.Add({NameOf(kPaper[i]), kPaper[i].time, Time(all[i].time), kPaper[i].faster,
               Times(all.front().time / all[i].time), kPaper[i].memory,
               Bytes(all[i].report.stats.bytes), Count(all[i].runs)});
  }
  return table;
}

}  // namespace

bool PrintOneProposal(const Bench& bench, std::ostream& out) {
  const agent::Selection selection = bench.Paxos("one-proposal");
  All all;
  bool right = true;
  for (const PaperRow& paper : kPaper) {
    all.push_back(bench.Check(selection, paper.engine));
    right = right && all.back().report.complete && all.back().report.violations.empty();
  }
  const model::Stats& global = all.front().report.stats;
  const bool counts = global.global_states == kStates && global.transitions == kTransitions;
  out << "ONE PROPOSAL (one of three nodes proposes once): "
      << (right ? "no violation, all complete\n\n" : "NOT AS IT MUST BE\n\n")
      << Explored(all).Text(2) << "\n"
      << Spent(all).Text(2) << "\nUnreduced: " << Count(global.global_states) << " states, "
      << Count(global.transitions) << " transitions; SPIN counts " << Count(kStates) << " and "
      << Count(kTransitions) << ": " << (counts ? "the same.\n" : "DIFFERENT.\n");
  return right && counts;
}

}  // namespace foretell::bench
