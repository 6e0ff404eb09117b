// `scripts/bench languages`: what a run of a handler costs, by language and carrier, in processor
// time, which is what the machine's other work changes least.

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "foretell/model/foreign/load_plugin.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {
namespace {

constexpr uint64_t kBefore = 1000;  // Runs that a second process may repeat, and that warm up.

// Microseconds of processor time.
struct Spent {
  double ours = 0;
  double theirs = 0;  // That of processes, once they have ended.
};

double MicrosOf(int who) {
  struct rusage usage = {};
  getrusage(who, &usage);
  const auto micros = [](const struct timeval& time) {
    return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
  };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

// A handler that sends something: the first action that is possible at the start.
struct Step {
  model::NodeId node;
  std::string state;
  model::Event event;
};

std::optional<Step> FirstStep(const model::System& system) {
  for (uint32_t n = 0; n < system.start.nodes.size(); ++n) {
    const model::NodeId node(n);
    const std::string& state = system.start.nodes[n].body;
    for (const std::string& action : system.service->Actions(node, state)) {
      return Step{node, state, {.kind = model::EventKind::kAction, .body = action}};
    }
  }
  return std::nullopt;
}

// All that `runs` runs cost, from loading the plug-in to the end of its processes.
absl::StatusOr<Spent> Spend(const std::string& plugin, uint64_t runs) {
  const Spent before{MicrosOf(RUSAGE_SELF), MicrosOf(RUSAGE_CHILDREN)};
  {
    const absl::StatusOr<model::Catalog> families = model::LoadPlugin(plugin);
    if (!families.ok()) return families.status();
    const model::ServiceFamily& family = *families->front();
    const absl::StatusOr<model::System> system = family.Make(family.scenarios().front().name, "");
    if (!system.ok()) return system.status();
    const std::optional<Step> step = FirstStep(*system);
    if (!step) return absl::InternalError(absl::StrCat(plugin, ": nothing happens at the start"));
    for (uint64_t i = 0; i < runs; ++i) {
      const auto result =
          system->service->Run(step->node, step->state, std::span(&step->event, 1), {});
      if (result.failure.empty() && !result.sends.empty()) continue;
      return absl::InternalError(absl::StrCat(plugin, ": a run sends nothing ", result.failure));
    }
  }
  return Spent{MicrosOf(RUSAGE_SELF) - before.ours, MicrosOf(RUSAGE_CHILDREN) - before.theirs};
}

// Of one run. What is not by the run is the same with few runs, and is subtracted.
absl::StatusOr<Spent> SpendOnOne(const std::string& plugin, uint64_t runs) {
  const auto few = Spend(plugin, kBefore);
  if (!few.ok()) return few;
  const auto many = Spend(plugin, kBefore + runs);
  if (!many.ok()) return many;
  const auto count = static_cast<double>(runs);
  return Spent{(many->ours - few->ours) / count, (many->theirs - few->theirs) / count};
}

std::string Micros(double micros) { return absl::StrFormat("%.2f us", micros); }

// `plugins` are "SERVICE LANGUAGE CARRIER=PLUGIN". False if one does not run.
bool Print(const std::vector<std::string>& plugins, uint64_t runs, std::ostream& out) {
  Table table({.columns = {{.align = Table::Align::kLeft},
                           {.align = Table::Align::kLeft},
                           {.align = Table::Align::kLeft}}});
  table.Add({"service", "language", "carrier", "ours", "its process", "together"});
  bool right = true;
  for (const std::string& row : plugins) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(row, absl::MaxSplits('=', 1));
    std::vector<std::string> cells = absl::StrSplit(parts.first, ' ');
    const absl::StatusOr<Spent> spent = SpendOnOne(parts.second, runs);
    right = right && spent.ok();
    if (!spent.ok()) {
      std::cerr << std::string(spent.status().message()) << "\n";
      continue;
    }
    const bool process = spent->theirs > 0;
    cells.insert(cells.end(), {Micros(spent->ours), process ? Micros(spent->theirs) : kNoFigure,
                               Micros(spent->ours + spent->theirs)});
    table.Add(cells);
  }
  out << "One run of a handler that sends a message, by processor time, over " << Count(runs)
      << " runs:\nthe checker's share (of a library, all of it), that of the process that answers, "
         "and both.\n\n"
      << table.Text(1);
  return right;
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  CLI::App app("What a run of a handler costs, by language and carrier");
  uint64_t runs = 20'000;
  std::vector<std::string> plugins;
  app.add_option("--runs", runs, "Runs of each")->check(CLI::PositiveNumber);
  app.add_option("PLUGIN", plugins, "\"SERVICE LANGUAGE CARRIER=PLUGIN\"")->required();
  CLI11_PARSE(app, argc, argv);
  return foretell::bench::Print(plugins, runs, std::cout) ? 0 : 1;
}
