#include "foretell/search/verdict.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/describe.h"
#include "foretell/model/engine/shorten.h"
#include "foretell/model/plain/live_replay.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::search {

using model::Outcome;
using model::Report;

std::string EndedBy(model::Budget::Limit limit) {
  return absl::StrCat("Ended by the limit on ", model::LimitName(limit), ".");
}

Report NotDeterministic(Report report, const std::string& what) {
  report.outcome = Outcome::kNondeterminism;
  report.complete = false;
  report.notes.push_back(absl::StrCat("Not deterministic: ", what, "."));
  report.violations.clear();
  return report;
}

namespace {

// How often a path that does not replay is tried again before it is called a bug of ours: what a
// service does once in a thousand times, it may have done in the search or just now.
constexpr size_t kReplays = 16;

std::string Event(const model::Service& service, const model::PathStep& step) {
  return model::Describe(service, step.node, step.event);
}

// The step at which two replays of one path part; nothing if they are the same.
std::optional<size_t> Parting(const absl::StatusOr<std::vector<model::ReplayedStep>>& a,
                              const absl::StatusOr<std::vector<model::ReplayedStep>>& b,
                              size_t steps) {
  if (!a.ok() || !b.ok()) return a.ok() == b.ok() ? std::nullopt : std::optional(steps - 1);
  for (size_t i = 0; i < steps; ++i) {
    if ((*a)[i].after != (*b)[i].after) return i;
  }
  return std::nullopt;
}

// The event after which the same path once led here and once there; nothing if it never did.
std::optional<std::string> Unsteady(const model::Service& service, const model::SystemCut& start,
                                    const model::Path& path) {
  const auto first = model::Replay(service, start, path);
  for (size_t i = 0; i < kReplays; ++i) {
    const auto step = Parting(first, model::Replay(service, start, path), path.size());
    if (!step) continue;
    return absl::StrCat(Event(service, path[*step]), ": the same steps led to two different states",
                        model::kSomethingElse);
  }
  return std::nullopt;
}

// How the service contradicts itself about a path that was possible in the search and then did not
// replay: the event and what is wrong with it. Nothing if it does not, and the search was wrong.
std::optional<std::string> Contradiction(model::TransitionTable& table,
                                         const model::SystemCut& start, const std::string& name,
                                         const model::Path& found, const model::Path& shortened) {
  table.AuditPath(start, found);
  if (table.nondeterminism()) return table.nondeterminism();
  const model::Service& service = table.service();
  if (const auto claimed = service.claimed_auxiliary(); !claimed.empty()) {
    return absl::StrCat(
        absl::StrJoin(claimed, ", "),
        ": declared auxiliary, but a path that leaves it out does not replay: not a "
        "function of the relevant part");
  }
  if (auto unsteady = Unsteady(service, start, found)) return unsteady;
  // Shortening has followed every path that it makes to its end.
  bool broken = shortened != found;
  for (size_t i = 0; i < kReplays && !broken; ++i) {
    broken = model::Confirm(service, start, name, found).ok();
  }
  if (!broken) return std::nullopt;
  return absl::StrCat(found.empty() ? "the start" : Event(service, found.back()), ": ", name,
                      " was broken once, and once it was not", model::kSomethingElse);
}

// Why a confirmed violation says nothing: it does not always come to it, or real nodes would not.
std::optional<std::string> Doubt(const model::Service& service, const model::SystemCut& start,
                                 const model::Violation& violation) {
  if (auto unsteady = Unsteady(service, start, violation.path)) return unsteady;
  const auto different = model::LiveDifference(service, start, violation.path);
  if (!different) return std::nullopt;
  for (size_t i = 0; i < kReplays; ++i) {
    // Something in between, not always the same: a mind may change at regular intervals.
    const auto steps = static_cast<std::ptrdiff_t>(i % (violation.path.size() + 1));
    const model::Path some(violation.path.begin(), violation.path.begin() + steps);
    const bool replays = model::Replay(service, start, some).ok();
    if (replays && model::LiveDifference(service, start, violation.path) == different) continue;
    return absl::StrCat(*different, ": the same steps led to two different states",
                        model::kSomethingElse);
  }
  return absl::StrCat(
      *different,
      ": a node that keeps its state object does something else there than one that "
      "is decoded, so the encoding leaves out state (a member missing in Fields?)");
}

// Fills in the violations. Returns how the service contradicts itself, if it does.
absl::StatusOr<std::optional<std::string>> ConfirmAll(model::TransitionTable& table,
                                                      const model::InvariantTable& invariants,
                                                      const model::SystemCut& start,
                                                      std::vector<Finding> findings,
                                                      Report& report) {
  const model::Service& service = table.service();
  for (const auto& [invariant, path] : findings) {
    if (table.nondeterminism()) break;
    const std::string& name = invariants.info(invariant).name;
    const model::Path shortened = model::Shorten(service, start, name, path);
    absl::StatusOr<model::Violation> violation = model::Confirm(service, start, name, shortened);
    std::optional<std::string> contradiction =
        violation.ok() ? Doubt(service, start, *violation)
                       : Contradiction(table, start, name, path, shortened);
    if (!violation.ok() && !contradiction) contradiction = invariants.Unsteady();
    if (contradiction) return contradiction;
    if (!violation.ok()) {
      return absl::InternalError(absl::StrCat(
          "a bug of foretell: a violation of ", name,
          " was found that does not replay: ", std::string(violation.status().message())));
    }
    report.violations.push_back(*std::move(violation));
  }
  return table.nondeterminism();
}

// The invariants of terminal states, for people; empty if there are none.
std::string AboutEnds(const model::InvariantTable& invariants) {
  std::vector<std::string> names;
  for (size_t i = 0; i < invariants.count(); ++i) {
    if ((invariants.when_stuck() >> i & 1) != 0) names.push_back(invariants.info(i).name);
  }
  return absl::StrJoin(names, ", ");
}

}  // namespace

absl::StatusOr<Report> Conclude(model::TransitionTable& table,
                                const model::InvariantTable& invariants,
                                const model::SystemCut& start, std::vector<Finding> findings,
                                bool exhausted, const model::Budget& budget, Report report,
                                Ends ends, Audits audits) {
  if (const std::string about = AboutEnds(invariants); ends == Ends::kLeftOut && !about.empty()) {
    report.notes.push_back(absl::StrCat("Not looked at: ", about,
                                        ", for terminal states only; engines global and por do."));
    exhausted = false;
  }
  report.stats.handler_executions = table.handler_executions();
  // Audits run all handlers again. Without them nothing may be claimed, and nobody wants to hear
  // it.
  if (findings.empty() && !exhausted && budget.Abandoned()) {
    report.outcome = Outcome::kBudget;
    return report;
  }
  // Whatever becomes of it is an answer, so that nobody else has to go on looking meanwhile.
  if (exhausted || !findings.empty()) budget.Concluding();
  if (audits == Audits::kAll || exhausted || findings.empty()) {
    table.Audit();
    const auto unsteady = table.nondeterminism() ? std::nullopt : invariants.Unsteady();
    if (unsteady) return NotDeterministic(std::move(report), *unsteady);
  } else {
    for (const auto& [invariant, path] : findings) table.AuditPath(start, path);
  }
  const auto contradiction = ConfirmAll(table, invariants, start, std::move(findings), report);
  if (!contradiction.ok()) return contradiction.status();
  if (*contradiction) return NotDeterministic(std::move(report), **contradiction);
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
