// `scripts/bench engines`: what every engine says about everything that is built in, and what
// that costs; and what the default engine costs against the best of its members.

#include <CLI/CLI.hpp>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "foretell/integration/catalog.h"
#include "foretell/model/foreign/load_plugin.h"
#include "foretell/tests/bench/engines/comparison.h"
#include "foretell/tests/bench/engines/verdicts.h"

namespace foretell::bench {
namespace {

using predictors::Engine;

std::string Cell(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kNotCovered: return "-";
    case Verdict::Kind::kFailed: return "FAILED";
    case Verdict::Kind::kOpen: return "open";
    case Verdict::Kind::kNone: return absl::StrCat("none ", Time(verdict.cpu));
    case Verdict::Kind::kViolation:
      return absl::StrCat("bad:", verdict.steps, " ", Time(verdict.cpu));
  }
  return "";
}

// False if some engines contradict each other.
bool PrintTable(const model::Catalog& catalog, const EnginesPlan& plan, std::ostream& out) {
  const std::vector<Engine> engines = predictors::SafetyEngines();
  Table table;
  Table::Row head = {"service, scenario, bug"};
  for (const Engine& engine : engines) head.push_back(engine.name);
  const bool compares = plan.steps == UINT64_MAX;
  if (compares) {
    for (std::string& title : Comparison::Head()) head.push_back(std::move(title));
  }
  table.Add(std::move(head));
  Comparison comparison(engines);
  // What a member decides within the limit, the portfolio has to decide within the goal.
  EnginesPlan goal = plan;
  goal.budget =
      std::chrono::duration_cast<std::chrono::milliseconds>(Comparison::Goal(plan.budget));
  std::vector<std::string> contradictions;
  for (const Case& one : CasesOf(catalog, plan)) {
    std::vector<Verdict> verdicts;
    for (const Engine& engine : engines) {
      verdicts.push_back(Ask(engine, one, verdicts.empty() ? goal : plan));
    }
    Table::Row row = {one.name()};
    for (const Verdict& verdict : verdicts) row.push_back(Cell(verdict));
    if (compares) comparison.Add(one.name(), verdicts, row);
    table.Add(std::move(row));
    const std::string contradiction = Contradiction(engines, verdicts);
    if (!contradiction.empty()) contradictions.push_back(one.name() + ": " + contradiction);
  }
  out << table.Text(1) << "\n";
  if (compares) comparison.Print(out);
  out << "contradictions: " << (contradictions.empty() ? "none" : "") << "\n";
  for (const std::string& contradiction : contradictions) out << "  " << contradiction << "\n";
  return contradictions.empty();
}

}  // namespace
}  // namespace foretell::bench

int main(int argc, char** argv) {
  using namespace foretell::bench;
  EnginesPlan plan;
  uint64_t millis = 2'000;
  bool full = false;
  CLI::App app("What every engine says about every built-in service, scenario and bug.");
  app.add_flag("--full", full, "60 s for each search instead of 2");
  app.add_option("--millis", millis, "processor time for each search, of each thread")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--steps", plan.steps, "steps for each search, instead of a time")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", plan.threads, "threads of portfolio and dir")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  app.add_option("--only", plan.only, "only cases with this in their name");
  std::string plugin;
  app.add_option("--plugin", plugin, "the services of this plug-in, instead of those built in");
  CLI11_PARSE(app, argc, argv);
  plan.budget = std::chrono::milliseconds(full ? 60'000 : millis);
  absl::StatusOr<foretell::model::Catalog> catalog = foretell::integration::BuiltinServices();
  if (!plugin.empty()) catalog = foretell::model::LoadPlugin(plugin);
  if (!catalog.ok()) {
    std::cerr << catalog.status().message() << "\n";
    return 2;
  }
  std::cout
      << "bad:N: a violation, N steps from the start; none: the whole space was covered;\n"
      << "open: nothing found within the limit; -: the engine would explore nothing.\n"
      << "Times and limits are processor time, portfolio and dir with " << plan.threads
      << (plan.threads == 1 ? " thread;\n" : " threads, all of them added up;\n")
      << "only the last column is by the wall clock. The limit of portfolio is the goal. Of five\n"
      << "runs, or of as many as a second is enough for, the least.\n\n";
  const bool right = PrintTable(*catalog, plan, std::cout);
  std::cout << std::flush;
  return right ? 0 : 1;
}
