#include "foretell/predictors/race.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/check.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/views/service_views.h"

namespace foretell::predictors {

using model::Budget;
using model::Outcome;
using model::Report;
using model::Violation;

namespace {

// How much of the whole time may still be spent on other invariants once one is violated.
constexpr int kAfterFindPercent = 10;
// Stands for no deadline where the clock must still be read, because others may stop a job. Small
// enough for engines to take percentages of it.
constexpr auto kForever = std::chrono::hours(24 * 365);

void AddCount(model::Stats::Count& sum, const model::Stats::Count& more) {
  if (sum || more) sum = sum.value_or(0) + more.value_or(0);
}

// Two explorations of one start by one engine, the second without what the first found.
Report Merge(Report first, Report second) {
  if (second.outcome == Outcome::kNondeterminism) return second;
  AddCount(second.stats.transitions, first.stats.transitions);
  AddCount(second.stats.handler_executions, first.stats.handler_executions);
  for (Violation& violation : second.violations) first.violations.push_back(std::move(violation));
  second.violations = std::move(first.violations);
  return second;
}

void SettleOutcome(Report& report) {
  if (report.outcome == Outcome::kNondeterminism) return;
  report.outcome = !report.violations.empty() ? Outcome::kViolation
                   : report.complete          ? Outcome::kNone
                                              : Outcome::kBudget;
}

}  // namespace

Race::Race(const model::Service& service, std::vector<model::ValidCut> starts, RaceOptions options,
           const Budget& budget)
    : service_(service),
      starts_(std::move(starts)),
      options_(std::move(options)),
      budget_(budget),
      repeatable_(budget.limits().steps_max != UINT64_MAX),
      begin_(budget.Now()),
      end_(budget.limits().deadline == Time::max() && !repeatable_ ? begin_ + kForever
                                                                   : budget.limits().deadline),
      stop_at_(end_.time_since_epoch().count()),
      covered_(starts_.size()) {
  for (size_t start = 0; start < starts_.size(); ++start) {
    for (size_t engine = 0; engine < options_.engines.size(); ++engine) {
      jobs_.push_back({.start = start, .engine = engine});
    }
  }
}

std::vector<EngineRun> Race::Run(std::set<std::string> found, const Judge& judge) {
  FORETELL_CHECK(judge_ == nullptr);
  judge_ = &judge;
  if (!found.empty()) StopSoon(/*news=*/false);
  found_before_ = std::move(found);
  {
    const model::MutexLock lock(mutex_);
    found_ = found_before_;
  }
  std::vector<std::thread> threads;
  if (AnythingLeft(found_before_)) {
    try {
      for (size_t i = 1; i < std::min<size_t>(options_.threads, jobs_.size()); ++i) {
        threads.emplace_back([this] { Work(); });
      }
    } catch (const std::system_error&) {
      // The machine has no more threads to give; those that there are do the work.
    }
    Work();
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<EngineRun> runs;
  for (Job& job : jobs_) {
    if (job.run) runs.push_back(*std::move(job.run));
  }
  return runs;
}

void Race::Charge(Budget& payer) const {
  for (const Job& job : jobs_) {
    if (!job.budget) continue;
    payer.Charge(*job.budget);
    if (job.budget->ended_by() == Budget::Limit::kMemory) payer.HoldBytes(UINT64_MAX);
  }
}

void Race::Work() {
  for (size_t number = next_++; number < jobs_.size(); number = next_++) {
    Job& job = jobs_[number];
    if (Stopped(job.start)) continue;
    job.budget = BudgetOf(number);
    RunJob(job);
  }
}

bool Race::Stopped(size_t start) const {
  if (repeatable_) return end_ != Time::max() && budget_.Now() >= end_;
  return covered_[start] || budget_.Now().time_since_epoch().count() >= stop_at_;
}

// Every job gets its part. What jobs leave of their time goes to those that follow.
Budget Race::BudgetOf(size_t job) const {
  Budget::Limits limits;
  const uint32_t threads = std::max<uint32_t>(options_.threads, 1);
  if (budget_.limits().bytes_max != UINT64_MAX) {
    limits.bytes_max = budget_.limits().bytes_max / threads;
  }
  if (repeatable_) {
    const uint64_t left = budget_.limits().steps_max - budget_.steps_taken();
    limits.steps_max = budget_.spent() ? 0 : left / jobs_.size();
    limits.deadline = end_;
    return Budget(limits, [this] { return budget_.Now(); });
  }
  const Time now = budget_.Now();
  const auto part = (end_ - now) / static_cast<Time::rep>(jobs_.size() - job) * threads;
  limits.deadline = std::min(end_, now + part);
  return Budget(limits, [this, end = limits.deadline, start = jobs_[job].start] {
    return Stopped(start) ? end : budget_.Now();
  });
}

void Race::RunJob(Job& job) {
  const Time begin = budget_.Now();
  EngineRun& run = job.run.emplace();
  run.engine = options_.engines[job.engine];
  run.space = job.start;
  absl::StatusOr<Report> report;
  // A service may be a plug-in. What it throws from outside of a handler must not end the process.
  try {
    report = ExploreInPasses(job, *job.budget);
  } catch (const std::exception& e) {
    report = absl::FailedPreconditionError(
        absl::StrCat("the service threw outside of a handler: ", e.what()));
  } catch (...) {
    report = absl::FailedPreconditionError(
        "the service threw something that is no std::exception, outside of a handler");
  }
  run.duration = budget_.Now() - begin;
  if (!report.ok()) {
    run.status = report.status();
    run.report.outcome = Outcome::kBudget;
    return;
  }
  run.report = *std::move(report);
  if (run.report.complete) {
    covered_[job.start] = true;
  } else if (!repeatable_ && covered_[job.start]) {
    run.report.notes.push_back("Stopped: another engine had covered the space.");
  }
}

// To the first violation, which is then told, and from there to the end. Engines report when they
// are done, not on the way; nobody should wait for what is known already.
absl::StatusOr<Report> Race::ExploreInPasses(const Job& job, Budget& budget) {
  std::vector<std::string> hidden = Hidden();
  absl::StatusOr<Report> first = Explore(job, hidden, /*all_invariants=*/false, budget);
  if (!first.ok()) return first;
  std::set<std::string> settled(hidden.begin(), hidden.end());
  for (const Violation& violation : first->violations) settled.insert(violation.invariant);
  const bool stopped = !first->violations.empty();
  Submit(job, first->violations);
  SettleOutcome(*first);
  if (!stopped || !options_.all_invariants || !AnythingLeft(settled)) return first;

  for (std::string& more : Hidden()) settled.insert(std::move(more));
  if (budget.spent() || !AnythingLeft(settled)) return first;
  hidden.assign(settled.begin(), settled.end());
  absl::StatusOr<Report> second = Explore(job, hidden, /*all_invariants=*/true, budget);
  if (!second.ok()) return second;
  // Local assertions cannot be hidden.
  std::erase_if(second->violations,
                [&](const Violation& claim) { return settled.contains(claim.invariant); });
  Submit(job, second->violations);
  Report report = Merge(*std::move(first), *std::move(second));
  SettleOutcome(report);
  return report;
}

absl::StatusOr<Report> Race::Explore(const Job& job, const std::vector<std::string>& hidden,
                                     bool all_invariants, Budget& budget) {
  EngineOptions options;
  options.depth_max = options_.depth_max;
  options.components = options_.components;
  options.all_invariants = all_invariants;
  options.awaited = !repeatable_;
  if (options_.progress) {
    options.progress = [this](const model::Progress& progress) {
      const model::MutexLock lock(progress_mutex_);
      options_.progress(progress);
    };
  }
  const InvariantView view = InvariantView::Without(service_, hidden);
  const auto engine = MakeEngine(options_.engines[job.engine], view, options);
  FORETELL_CHECK(engine != nullptr);
  absl::StatusOr<Report> report = engine->Explore(*starts_[job.start], budget);
  std::vector<std::string> unseen = hidden;
  std::erase_if(unseen, [this](const std::string& name) { return Ignored(name); });
  if (report.ok() && !unseen.empty()) {
    report->notes.push_back(absl::StrCat("Found before: ", absl::StrJoin(unseen, ", "), "."));
  }
  return report;
}

void Race::Submit(const Job& job, std::vector<Violation>& claims) {
  const model::MutexLock lock(mutex_);
  std::erase_if(claims, [&](const Violation& claim) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (Ignored(claim.invariant)) return true;
    if (!(*judge_)(job.start, job.engine, claim)) return true;
    found_.insert(claim.invariant);
    return false;
  });
  if (repeatable_ || claims.empty()) return;
  if (options_.all_invariants && AnythingLeft(found_)) {
    StopSoon(std::any_of(claims.begin(), claims.end(), [this](const Violation& claim) {
      return !options_.told.contains(claim.invariant);
    }));
  } else {
    stop_at_ = begin_.time_since_epoch().count();
  }
}

std::vector<std::string> Race::Hidden() {
  std::vector<std::string> hidden = options_.ignored;
  const model::MutexLock lock(mutex_);
  // Who finds something first depends on threads; what was found before the race does not.
  const std::set<std::string>& found = repeatable_ ? found_before_ : found_;
  hidden.insert(hidden.end(), found.begin(), found.end());
  return hidden;
}

bool Race::Ignored(const std::string& invariant) const {
  return std::find(options_.ignored.begin(), options_.ignored.end(), invariant) !=
         options_.ignored.end();
}

bool Race::AnythingLeft(const std::set<std::string>& found) const {
  const auto open = [&](const std::string& name) {
    return !found.contains(name) && !Ignored(name);
  };
  const auto invariants = service_.invariants();
  return open(model::kLocalAssertions) ||
         std::any_of(invariants.begin(), invariants.end(), [&](const model::InvariantInfo& info) {
           return !info.eventually && open(info.name);
         });
}

void Race::StopSoon(bool news) {
  if (repeatable_) return;
  const Time now = budget_.Now();
  const auto patience = (end_ - begin_) / 100 * kAfterFindPercent;
  const Time soon = now + (news ? std::min(patience, now - begin_) : patience);
  stop_at_ = std::min<Time::rep>(stop_at_, soon.time_since_epoch().count());
}

}  // namespace foretell::predictors
