#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/race.h"

namespace foretell::predictors {
namespace {

using model::Outcome;
using model::Report;

// Whose report is the answer: who found that there is no answer, who found something, who is
// certain that there is nothing, in this order; else the first.
int Preference(const Report& report) {
  if (report.outcome == Outcome::kNondeterminism) return 0;
  if (!report.violations.empty()) return 1;
  return report.complete ? 2 : 3;
}

class PortfolioExplorer final : public model::Explorer {
 public:
  PortfolioExplorer(const model::Service& service, PortfolioExplorerOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<Report> Explore(const model::SystemCut& start, model::Budget& budget) override {
    const auto valid = model::ValidCut::Make(service_, start);
    if (!valid.ok()) return valid.status();
    RaceOptions options;
    options.engines = PortfolioOptions().engines;
    std::erase(options.engines, kKnownPaths);
    options.threads = options_.threads;
    options.depth_max = options_.depth_max;
    options.all_invariants = options_.all_invariants;
    options.progress = options_.progress;
    Race race(service_, {*valid}, options, budget);
    const auto accept = [](size_t, size_t, const model::Violation&) { return true; };
    const std::vector<EngineRun> runs = race.Run({}, accept);
    race.Charge(budget);
    for (const EngineRun& run : runs) {
      if (run.report.outcome == Outcome::kNondeterminism) return run.report;
    }
    for (const EngineRun& run : runs) {
      if (!run.status.ok()) return run.status;
    }
    return Decide(runs, budget);
  }

 private:
  // All runs were on the same start.
  Report Decide(const std::vector<EngineRun>& runs, model::Budget& budget) const {
    const auto best =
        std::min_element(runs.begin(), runs.end(), [](const EngineRun& a, const EngineRun& b) {
          return Preference(a.report) < Preference(b.report);
        });
    Report report;
    if (best != runs.end()) report = best->report;
    if (report.outcome == Outcome::kNondeterminism) return report;
    if (best != runs.end()) report.notes.push_back(absl::StrCat("Answer of ", best->engine, "."));
    std::set<std::string> found;
    for (const model::Violation& violation : report.violations) found.insert(violation.invariant);
    for (const EngineRun& run : runs) {
      // One that stopped at its first violation says nothing about the rest of the space.
      report.complete |= options_.all_invariants && run.report.complete;
      for (const model::Violation& violation : run.report.violations) {
        if (!options_.all_invariants || !found.insert(violation.invariant).second) continue;
        report.violations.push_back(violation);
      }
    }
    report.outcome = !report.violations.empty() ? Outcome::kViolation
                     : report.complete          ? Outcome::kNone
                                                : Outcome::kBudget;
    // For the caller to see which limit it was.
    if (!report.complete) static_cast<void>(budget.TakeStep());
    return report;
  }

  const model::Service& service_;
  const PortfolioExplorerOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakePortfolioExplorer(const model::Service& service,
                                                       PortfolioExplorerOptions options) {
  return std::make_unique<PortfolioExplorer>(service, std::move(options));
}

}  // namespace foretell::predictors
