// `scripts/bench raft`: what it takes to check a library that others wrote, measured in this run.

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "foretell/integration/raft/testing/first_steps.h"
#include "foretell/tests/bench/measure.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;

void PrintSteps(const Bench& bench, uint64_t count, std::ostream& out) {
  const agent::Selection selection = bench.Select("raft", "two-elections");
  const model::Service& service = *selection.system.service;
  const auto steps = integration::raft::testing::FirstSteps(selection.system);
  uint64_t bytes = 0;
  for (const auto& step : steps) bytes += step.state.size();
  const Clock::time_point begin = Clock::now();
  uint64_t sent = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto& step = steps[i % steps.size()];
    sent +=
        service.Run(step.step.node, step.state, std::span(&step.step.event, 1), step.step.choices)
            .sends.size();
  }
  const Seconds time = Clock::now() - begin;
  Table table;
  table.Add({"one step of a node: decode, build, step, read, encode", "prototype", "ours"});
  table.Add({"per second", "200,000 to 600,000",
             Count(static_cast<uint64_t>(static_cast<double>(count) / time.count()))});
  table.Add({"bytes of a node state", "13 KB (image)", Count(bytes / steps.size())});
  out << table.Text(1) << (sent > 0 ? "" : "NOTHING WAS SENT\n");
}

std::string PerSecond(const std::optional<uint64_t>& count, Seconds time) {
  return Count(static_cast<uint64_t>(static_cast<double>(count.value_or(0)) / time.count()));
}

// Every state within the budget, whatever breaks on the way.
bool PrintSpaces(const Bench& bench, std::ostream& out) {
  Table table;
  table.Add({"whole spaces, engine global", "states", "states/s", "handler runs", "memo hits",
             "bytes/state", "time", "broken"});
  bool right = true;
  predictors::EngineOptions options;
  options.all_invariants = true;
  options.minimise = false;
  table.Add({"prototype, its own events", "321,121", "267,601", "-", "> 99.6 %", "-", "1.2 s",
             "committed-on-a-majority"});
  for (const char* scenario : {"two-elections", "two-elections-streams", "verified-tail"}) {
    const Measured run = bench.Check(bench.Select("raft", scenario), "global", options);
    const model::Stats& stats = run.report.stats;
    const double runs = static_cast<double>(stats.handler_executions.value_or(0));
    const double transitions = static_cast<double>(stats.transitions.value_or(1));
    char hits[32];
    std::snprintf(hits, sizeof(hits), "%.2f %%", 100 * (1 - runs / transitions));
    const bool control = std::string(scenario) == "verified-tail";
    right = right && run.report.complete && run.report.violations.empty() == control;
    table.Add({scenario, Count(stats.global_states.value_or(0)),
               PerSecond(stats.global_states, run.time),
               Count(stats.handler_executions.value_or(0)), hits,
               Count(stats.visited_bytes.value_or(0) /
                     std::max<uint64_t>(stats.global_states.value_or(1), 1)),
               Time(run.time),
               run.report.violations.empty() ? "nothing" : run.report.violations[0].invariant});
  }
  out << table.Text(1);
  return right;
}

bool PrintFirstViolation(const Bench& bench, std::ostream& out) {
  Table table;
  table.Add({"until the first violation is found and replayed", "time", "steps of the path",
             "handler runs"});
  bool right = true;
  for (const char* scenario : {"two-elections", "two-elections-streams"}) {
    for (const char* engine : {"global", "por", "lmc", "portfolio"}) {
      const Measured run = bench.Check(bench.Select("raft", scenario), engine);
      right = right && !run.report.violations.empty();
      if (run.report.violations.empty()) continue;
      table.Add({std::string(scenario) + ", " + engine, Time(run.time),
                 Count(run.report.violations[0].path.size()),
                 Count(run.report.stats.handler_executions.value_or(0))});
    }
  }
  out << table.Text(1);
  return right;
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  using namespace foretell::bench;
  Plan plan;
  uint64_t steps = 1'000'000;
  CLI::App app("What it takes to check libraft.");
  app.add_option("--steps", steps, "steps of single nodes")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--repeat", plan.repeats, "how often a short measurement is repeated, at most")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  const Bench bench(plan);
  std::cout
      << "libraft 0.15.0 as Debian ships it, three nodes from boot. All of ours was measured in\n"
      << "this run, on one core (portfolio: two), by the wall clock; prototype: the figures of\n"
      << "the design page, from another machine and for another set of events.\n\n";
  PrintSteps(bench, steps, std::cout);
  std::cout << "\n";
  bool right = PrintSpaces(bench, std::cout);
  std::cout << "\n";
  right = PrintFirstViolation(bench, std::cout) && right;
  if (!right) std::cout << "NOT AS IT MUST BE\n";
  std::cout << std::flush;
  return right ? 0 : 1;
}
