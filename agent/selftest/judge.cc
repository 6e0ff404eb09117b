#include "foretell/agent/selftest/judge.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {
namespace {

using model::Outcome;
using model::Report;
using predictors::EnginePromises;
using search::NaiveResult;

absl::StatusOr<Report> RunEngine(const SelftestEngine& engine, const model::System& system,
                                 uint64_t steps_max) {
  const std::unique_ptr<model::Explorer> explorer = engine.make(*system.service);
  if (explorer == nullptr) return absl::UnimplementedError("there is no such engine");
  // No deadline, and a clock that stands still: only steps count.
  model::Budget budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
  return explorer->Explore(system.start, budget);
}

// What the engine has promised about this system.
EnginePromises PromisesOf(const SelftestEngine& engine, const model::System& system) {
  const bool covered = !engine.covers || engine.covers(*system.service, system.start).ok();
  return covered ? engine.promises : EnginePromises{};
}

// The checks, in the order in which their failures tell most. Each returns what is wrong or "".
std::string OutcomeProblem(const Report& report) {
  const std::string said = absl::StrCat("outcome ", model::OutcomeName(report.outcome), ", ",
                                        report.complete ? "complete" : "not complete", ", ",
                                        report.violations.size(), " violations");
  const bool violated = !report.violations.empty();
  const bool consistent = report.outcome == Outcome::kViolation ? violated
                          : report.outcome == Outcome::kNone    ? !violated && report.complete
                          : report.outcome == Outcome::kBudget  ? !violated && !report.complete
                                                                : false;
  return consistent ? "" : said;
}

std::string FalseAlarm(const Report& report, const NaiveResult& truth) {
  for (const model::Violation& violation : report.violations) {
    if (!truth.violated.contains(violation.invariant)) {
      return absl::StrCat(violation.invariant, " cannot be violated");
    }
  }
  return "";
}

std::string Missed(const Report& report, const NaiveResult& truth,
                   const std::set<std::string>& found) {
  if (!report.complete) return "";
  for (const auto& [name, path] : truth.violated) {
    if (!found.contains(name)) {
      return absl::StrCat("says complete, but ", name, " is violated after ", path.size(),
                          " steps");
    }
  }
  return "";
}

std::string PathProblem(const EnginePromises& promises, const Report& report,
                        const model::System& system, const NaiveResult& truth) {
  for (const model::Violation& violation : report.violations) {
    const auto confirmed =
        model::Confirm(*system.service, system.start, violation.invariant, violation.path);
    if (!confirmed.ok()) {
      return absl::StrCat(violation.invariant, ": ", std::string(confirmed.status().message()));
    }
    const size_t shortest = truth.violated.at(violation.invariant).size();
    if (violation.path.size() < shortest ||
        (promises.shortest_paths && violation.path.size() > shortest)) {
      return absl::StrCat(violation.invariant, ": a path of ", violation.path.size(),
                          " steps, the shortest has ", shortest);
    }
  }
  return "";
}

std::string StatesProblem(const EnginePromises& promises, const Report& report,
                          const model::System& system, const NaiveResult& truth) {
  if (!promises.counts_states && !promises.reduces_states) return "";
  const std::string numbers =
      absl::StrCat(report.stats.global_states ? absl::StrCat(*report.stats.global_states) : "no",
                   " states, the naive search has ", truth.states);
  if (!report.stats.global_states || *report.stats.global_states > truth.states) return numbers;
  // Once all invariants are decided an engine may stop; local assertions are one of them.
  size_t invariants = 1;
  for (const model::InvariantInfo& info : system.service->invariants()) {
    invariants += info.eventually ? 0 : 1;
  }
  const bool may_stop = truth.violated.size() == invariants || !report.complete;
  const bool all = *report.stats.global_states == truth.states;
  return all || may_stop || promises.reduces_states ? "" : numbers;
}

bool SameReports(const Report& a, const Report& b) {
  if (a.outcome != b.outcome || a.complete != b.complete || a.notes != b.notes ||
      a.violations.size() != b.violations.size() || a.stats.transitions != b.stats.transitions) {
    return false;
  }
  for (size_t i = 0; i < a.violations.size(); ++i) {
    if (a.violations[i].invariant != b.violations[i].invariant) return false;
    if (a.violations[i].path != b.violations[i].path) return false;
  }
  return true;
}

}  // namespace

Verdict Judge(const SelftestEngine& engine, const model::System& system, const NaiveResult& truth,
              uint64_t steps_max, bool twice) {
  const EnginePromises promises = PromisesOf(engine, system);
  Verdict verdict;
  const absl::StatusOr<Report> report = RunEngine(engine, system, steps_max);
  const auto complain = [&verdict](Complaint complaint, std::string text) {
    if (verdict.complaint || text.empty()) return;
    verdict.complaint = complaint;
    verdict.text = std::move(text);
  };
  if (!report.ok()) {
    complain(Complaint::kFailed, report.status().ToString());
    return verdict;
  }
  verdict.complete = report->complete;
  for (const model::Violation& v : report->violations) verdict.found.insert(v.invariant);
  complain(Complaint::kFalseAlarm, FalseAlarm(*report, truth));
  complain(Complaint::kMissed, Missed(*report, truth, verdict.found));
  complain(Complaint::kOutcome, OutcomeProblem(*report));
  if (verdict.found.size() != report->violations.size()) {
    complain(Complaint::kOutcome, "reports an invariant twice");
  }
  if (verdict.complaint != Complaint::kFalseAlarm) {
    complain(Complaint::kPath, PathProblem(promises, *report, system, truth));
  }
  if (promises.completes && !report->complete) {
    complain(Complaint::kIncomplete, absl::StrCat("not complete after ", steps_max, " steps"));
  }
  complain(Complaint::kStates, StatesProblem(promises, *report, system, truth));
  if (twice) {
    const absl::StatusOr<Report> again = RunEngine(engine, system, steps_max);
    const bool same = again.ok() && SameReports(*report, *again);
    complain(Complaint::kUnsteady, same ? "" : "a second run gives another report");
  }
  return verdict;
}

}  // namespace foretell::agent
