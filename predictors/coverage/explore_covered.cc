#include "foretell/predictors/coverage/explore_covered.h"

#include <algorithm>
#include <set>
#include <utility>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/coverage/coverage_service.h"

namespace foretell::predictors {
namespace {

using model::Outcome;
using model::Report;

bool Found(const Report& report, const std::string& invariant) {
  return std::any_of(report.violations.begin(), report.violations.end(),
                     [&](const model::Violation& v) { return v.invariant == invariant; });
}

// True iff the report may be wrong because a claim is: it says of the invariant, or lets one think,
// that it holds. What was found is true in any case.
bool Relies(const Report& report, const Doubt& doubt, bool all_invariants) {
  if (report.outcome == Outcome::kNondeterminism) return false;
  if (!report.violations.empty() && !all_invariants) return false;
  return !Found(report, doubt.invariant);
}

void AddViolations(std::vector<model::Violation> found, Report& report) {
  if (report.outcome == Outcome::kNondeterminism) return;
  for (model::Violation& violation : found) {
    if (!Found(report, violation.invariant)) report.violations.push_back(std::move(violation));
  }
  if (!report.violations.empty()) report.outcome = Outcome::kViolation;
}

// There is no budget left to do better.
void TakeBackCompleteness(Report& report) {
  report.complete = false;
  if (report.outcome == Outcome::kNone) report.outcome = Outcome::kBudget;
}

void Finish(std::vector<Doubt> doubts, CoveredReport& covered) {
  covered.coverage.doubts = std::move(doubts);
  // With violations, the search may have ended as soon as everything was decided.
  covered.coverage.certain = covered.report.complete && covered.report.violations.empty();
  if (covered.report.outcome == Outcome::kBudget) return;
  // What grows to some size in a space that ends, or on the way to a violation, is nothing to tell.
  covered.coverage.growing.clear();
  covered.coverage.piling.clear();
}

}  // namespace

absl::StatusOr<CoveredReport> ExploreCovered(const Engine& engine, const EngineOptions& options,
                                             const model::Service& service,
                                             const model::SystemCut& start, model::Budget& budget) {
  if (absl::Status valid = model::ValidateCut(service, start); !valid.ok()) return valid;
  std::set<std::string> distrusted;
  std::vector<Doubt> doubts;
  std::vector<model::Violation> found;
  while (true) {
    const CoverageService view(service, start, distrusted);
    auto report = engine.make(view, options)->Explore(start, budget);
    if (!report.ok()) return report.status();
    CoveredReport covered{*std::move(report), view.Collect()};
    AddViolations(found, covered.report);
    bool relies = false;
    for (Doubt& doubt : covered.coverage.doubts) {
      distrusted.insert(doubt.invariant);
      const bool wrong =
          engine.trusts_stable && Relies(covered.report, doubt, options.all_invariants);
      relies = relies || wrong;
      if (wrong && !budget.spent()) doubt.text += "; searched again without it";
      doubts.push_back(std::move(doubt));
    }
    if (relies && !budget.spent()) {
      found = std::move(covered.report.violations);
      continue;
    }
    if (relies) TakeBackCompleteness(covered.report);
    Finish(std::move(doubts), covered);
    return covered;
  }
}

}  // namespace foretell::predictors
