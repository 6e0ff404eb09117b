#include "foretell/search/verdict.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/model/engine/shorten.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {

using model::Outcome;
using model::Report;

std::string EndedBy(model::Budget::Limit limit) {
  return absl::StrCat("Ended by the limit on ", model::LimitName(limit), ".");
}

absl::StatusOr<Report> Conclude(model::TransitionTable& table,
                                const model::InvariantTable& invariants,
                                const model::SystemCut& start, std::vector<Finding> findings,
                                bool exhausted, const model::Budget& budget, Report report) {
  report.stats.handler_executions = table.handler_executions();
  // Audits run all handlers again. Without them nothing may be claimed, and nobody wants to hear
  // it.
  if (findings.empty() && !exhausted && budget.Abandoned()) {
    report.outcome = Outcome::kBudget;
    return report;
  }
  table.Audit();
  for (auto& [invariant, path] : findings) {
    const std::string& name = invariants.info(invariant).name;
    absl::StatusOr<model::Violation> violation =
        model::Confirm(table.service(), start, name,
                       model::Shorten(table.service(), start, name, std::move(path)));
    // A service that answers differently each time can break its own replay.
    if (!violation.ok() && !table.nondeterminism()) return violation.status();
    if (violation.ok()) report.violations.push_back(*std::move(violation));
  }
  if (table.nondeterminism()) {
    report.outcome = Outcome::kNondeterminism;
    report.notes.push_back(absl::StrCat("Not deterministic: ", *table.nondeterminism(), "."));
    report.violations.clear();
    return report;
  }
  report.complete = exhausted;
  if (!report.violations.empty()) {
    report.outcome = Outcome::kViolation;
  } else {
    report.outcome = exhausted ? Outcome::kNone : Outcome::kBudget;
  }
  // An engine that gave a part of it a share of the budget may have said so already.
  const std::string ended = EndedBy(budget.ended_by());
  const bool said =
      std::find(report.notes.begin(), report.notes.end(), ended) != report.notes.end();
  if (budget.spent() && !exhausted && !said) report.notes.push_back(ended);
  return report;
}

}  // namespace foretell::search
