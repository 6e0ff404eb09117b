#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/portfolio.h"
#include "foretell/predictors/sliced_race.h"

namespace foretell::predictors {
namespace {

using model::Budget;
using model::Outcome;
using model::Report;
using model::Violation;
using Run = SlicedRace::Run;

// Whose report is the answer: who found that there is no answer, who found something, who failed,
// who is certain that there is nothing, who looked longest. In this order.
int Preference(const Run& run) {
  if (!run.report.ok()) return 2;
  if (run.report->outcome == Outcome::kNondeterminism) return 0;
  if (!run.report->violations.empty()) return 1;
  if (run.report->complete) return 3;
  switch (run.ended_by) {
    case Budget::Limit::kTime: return 4;
    case Budget::Limit::kSteps: return 5;
    case Budget::Limit::kMemory: return 6;
    case Budget::Limit::kNone: break;
  }
  return 7;
}

size_t PathLength(const Run& run) {
  return run.report.ok() && !run.report->violations.empty()
             ? run.report->violations.front().path.size()
             : 0;
}

// Takes what `more` found beside it, and shorter ways to the same. False if there was nothing.
bool AddViolations(const Report& more, Report& report) {
  bool added = false;
  for (const Violation& violation : more.violations) {
    const auto same = std::find_if(
        report.violations.begin(), report.violations.end(),
        [&](const Violation& known) { return known.invariant == violation.invariant; });
    if (same != report.violations.end() && same->path.size() <= violation.path.size()) continue;
    added = true;
    if (same == report.violations.end()) {
      report.violations.push_back(violation);
    } else {
      *same = violation;
    }
  }
  return added;
}

// Those that explore anything from there.
std::vector<Engine> MembersFor(const model::Service& service, const model::SystemCut& start) {
  std::vector<Engine> members = PortfolioMembers();
  std::erase_if(members, [&](const Engine& member) {
    return member.covers && !member.covers(service, start).ok();
  });
  return members;
}

class PortfolioExplorer final : public model::Explorer {
 public:
  PortfolioExplorer(const model::Service& service, PortfolioExplorerOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<Report> Explore(const model::SystemCut& start, Budget& budget) override {
    const auto valid = model::ValidCut::Make(service_, start);
    if (!valid.ok()) return valid.status();
    members_ = MembersFor(service_, start);
    SlicedRace race(service_, *valid, members_, {options_, options_.threads}, budget);
    const std::vector<Run> runs = race.RunAll();
    race.Charge(budget);
    if (!runs.empty()) return Decide(runs, budget);
    static_cast<void>(budget.Poll());  // The deadline was over before anybody began.
    return Report{.outcome = Outcome::kBudget};
  }

 private:
  absl::StatusOr<Report> Decide(const std::vector<Run>& runs, Budget& budget) const {
    const Run& best =
        *std::min_element(runs.begin(), runs.end(),
                          [this](const Run& a, const Run& b) { return Order(a) < Order(b); });
    absl::StatusOr<Report> report = best.report;
    if (!report.ok() || report->outcome == Outcome::kNondeterminism) return report;
    report->answer_of = members_[best.member].name;
    if (options_.all_invariants) AddOthers(runs, best, *report);
    report->notes.push_back(report->answer_of.empty()
                                ? "Answers of several engines."
                                : absl::StrCat("Answer of ", report->answer_of, "."));
    if (report->outcome == Outcome::kBudget) {
      // For the caller to see which limit it was.
      if (best.ended_by != Budget::Limit::kNone) budget.Spend(best.ended_by);
      NoteMemory(runs, best, *report);
    }
    return report;
  }

  // The shortest path, and of two the one that is known to be.
  std::tuple<int, size_t, bool, size_t> Order(const Run& run) const {
    const bool shortest = PathLength(run) > 0 && members_[run.member].promises.shortest_paths;
    return {Preference(run), PathLength(run), !shortest, run.member};
  }

  // What all of them know together. One that stopped at its first violation says nothing about the
  // rest of the space, so this is for those that went on.
  static void AddOthers(const std::vector<Run>& runs, const Run& best, Report& report) {
    for (const Run& run : runs) {
      if (&run == &best || !run.report.ok()) continue;
      report.complete |= run.report->complete;
      if (AddViolations(*run.report, report)) report.answer_of.clear();
    }
    report.outcome = !report.violations.empty() ? Outcome::kViolation
                     : report.complete          ? Outcome::kNone
                                                : report.outcome;
  }

  void NoteMemory(const std::vector<Run>& runs, const Run& best, Report& report) const {
    std::vector<std::string> names;
    for (const Run& run : runs) {
      if (&run == &best || run.ended_by != Budget::Limit::kMemory) continue;
      names.push_back(members_[run.member].name);
    }
    if (names.empty()) return;
    report.notes.push_back(
        absl::StrCat("Stopped before, at their part of the memory: ", absl::StrJoin(names, ", "),
                     "; alone, an engine may hold all of it."));
  }

  const model::Service& service_;
  const PortfolioExplorerOptions options_;
  std::vector<Engine> members_;  // Of the last exploration.
};

}  // namespace

std::unique_ptr<model::Explorer> MakePortfolioExplorer(const model::Service& service,
                                                       PortfolioExplorerOptions options) {
  return std::make_unique<PortfolioExplorer>(service, std::move(options));
}

}  // namespace foretell::predictors
