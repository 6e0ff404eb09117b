// `scripts/bench engines`: what every engine says about everything that is built in, and how long
// it takes; and what the default engine costs against the best of its members.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "foretell/integration/catalog.h"
#include "foretell/tests/bench/engines/verdicts.h"

namespace foretell::bench {
namespace {

using predictors::Engine;

// What the portfolio may cost: twice the time of its best member, and what nobody notices.
constexpr double kTimesMax = 2;
constexpr Seconds kMore(0.050);

std::string Cell(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kNotCovered: return "-";
    case Verdict::Kind::kFailed: return "FAILED";
    case Verdict::Kind::kOpen: return "open";
    case Verdict::Kind::kNone: return absl::StrCat("none ", Time(verdict.time));
    case Verdict::Kind::kViolation:
      return absl::StrCat("bad:", verdict.steps, " ", Time(verdict.time));
  }
  return "";
}

// The portfolio against its members, over all cases.
class Comparison {
 public:
  explicit Comparison(const std::vector<Engine>& engines) : engines_(engines) {}

  // Adds the ratios by the wall clock and by processor time; "-" where no member has an answer.
  void Add(const std::string& name, const std::vector<Verdict>& verdicts, Table::Row& row) {
    const Verdict* best = nullptr;
    for (size_t i = 0; i < engines_.size(); ++i) {
      if (engines_[i].portfolio_share == 0 || !verdicts[i].decided()) continue;
      if (best == nullptr || verdicts[i].time < best->time) best = &verdicts[i];
    }
    const Verdict& portfolio = verdicts.front();
    if (best == nullptr || !portfolio.decided()) {
      row.insert(row.end(), {best == nullptr ? kNoFigure : "MISSED", kNoFigure});
      if (best != nullptr) missed_.push_back(name);
      return;
    }
    const double ratio = portfolio.time / best->time;
    const double beyond = std::max(0.0, (portfolio.time - kMore) / best->time);
    if (!worst_ || std::tie(beyond, ratio) > std::tie(worst_->beyond, worst_->ratio)) {
      worst_ = Worst{name, ratio, beyond};
    }
    const bool slow = beyond > kTimesMax;
    slow_ += slow ? 1 : 0;
    // The clock of the processor has no more than microseconds.
    const double work = portfolio.cpu / std::max(best->cpu, Seconds(1e-6));
    row.insert(row.end(), {Times(ratio) + (slow ? " SLOW" : ""), Times(work)});
    if (portfolio.cpu > kMore) work_ = std::max(work_, work);
  }

  void Print(std::ostream& out) const {
    if (worst_) {
      out << "portfolio against its best member, at worst: " << worst_->name << ", "
          << Times(worst_->ratio) << "; without " << Time(kMore) << ", " << Times(worst_->beyond)
          << " (goal: " << Times(kTimesMax) << ")\n";
    }
    out << "by processor time of all threads, where that is more than " << Time(kMore)
        << ", at worst: " << Times(work_) << "\n";
    out << "slower than the goal: " << slow_ << "; answers of a member missed: " << missed_.size();
    for (const std::string& name : missed_) out << "\n  " << name;
    out << "\n";
  }

 private:
  struct Worst {
    std::string name;
    double ratio = 0;
    double beyond = 0;
  };
  const std::vector<Engine>& engines_;
  std::optional<Worst> worst_;
  size_t slow_ = 0;
  double work_ = 0;
  std::vector<std::string> missed_;
};

// False if some engines contradict each other.
bool PrintTable(const EnginesPlan& plan, std::ostream& out) {
  const model::Catalog catalog = integration::BuiltinServices();
  const std::vector<Engine> engines = predictors::AllEngines();
  Table table;
  Table::Row head = {"service, scenario, bug"};
  for (const Engine& engine : engines) head.push_back(engine.name);
  if (plan.steps == UINT64_MAX) head.insert(head.end(), {"portfolio / best", "cpu / best"});
  table.Add(std::move(head));
  Comparison comparison(engines);
  std::vector<std::string> contradictions;
  for (const Case& one : CasesOf(catalog, plan)) {
    std::vector<Verdict> verdicts;
    for (const Engine& engine : engines) verdicts.push_back(Ask(engine, one, plan));
    Table::Row row = {one.name()};
    for (const Verdict& verdict : verdicts) row.push_back(Cell(verdict));
    if (plan.steps == UINT64_MAX) comparison.Add(one.name(), verdicts, row);
    table.Add(std::move(row));
    const std::string contradiction = Contradiction(engines, verdicts);
    if (!contradiction.empty()) contradictions.push_back(one.name() + ": " + contradiction);
  }
  out << table.Text(1) << "\n";
  if (plan.steps == UINT64_MAX) comparison.Print(out);
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
  app.add_option("--millis", millis, "time for each search")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--steps", plan.steps, "steps for each search, instead of a time")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", plan.threads, "threads of portfolio and dir")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  app.add_option("--only", plan.only, "only cases with this in their name");
  CLI11_PARSE(app, argc, argv);
  plan.budget = std::chrono::milliseconds(full ? 60'000 : millis);
  std::cout << "bad:N: a violation, N steps from the start; none: the whole space was covered;\n"
            << "open: nothing found within the limit; -: the engine would explore nothing.\n"
            << "Measured in this run by the wall clock, portfolio and dir with " << plan.threads
            << (plan.threads == 1 ? " thread.\n" : " threads.\n")
            << "What takes less than 200 ms: the best of five.\n\n";
  const bool right = PrintTable(plan, std::cout);
  std::cout << std::flush;
  return right ? 0 : 1;
}
