#include "foretell/predictors/sliced_race.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::predictors {

using model::Budget;
using model::Report;

namespace {

// Stands for no deadline where the clock must still be read, because turns change hands there.
// Small enough for engines to take percentages of it.
constexpr auto kForever = std::chrono::hours(24 * 365);

// Where there is little time, those that begin later still get some of it.
constexpr int kLatestPart = 4;

std::vector<Turns::Entry> EntriesOf(const std::vector<Engine>& members,
                                    std::chrono::nanoseconds time) {
  std::vector<Turns::Entry> entries;
  for (const Engine& member : members) {
    entries.push_back({.share = member.portfolio_share,
                       .after = std::min<std::chrono::nanoseconds>(
                           member.portfolio_after, std::max(time, time.zero()) / kLatestPart)});
  }
  return entries;
}

}  // namespace

SlicedRace::SlicedRace(const model::Service& service, model::ValidCut start,
                       std::vector<Engine> members, SlicedRaceOptions options, const Budget& budget)
    : service_(service),
      start_(start),
      members_(std::move(members)),
      options_(std::move(options)),
      budget_(budget),
      repeatable_(budget.limits().steps_max != UINT64_MAX),
      end_(std::min(budget.limits().deadline, budget.Now() + kForever)),
      turns_(EntriesOf(members_, end_ - budget.Now()), std::max<size_t>(options_.threads, 1),
             options_.worked),
      begins_(members_.size()),
      budgets_(members_.size()),
      runs_(members_.size()),
      left_(members_.size()) {
  FORETELL_CHECK(!members_.empty());
}

std::vector<SlicedRace::Run> SlicedRace::RunAll() {
  FORETELL_CHECK(left_ == members_.size());
  std::vector<std::thread> threads;
  try {
    for (size_t i = 1; i < members_.size(); ++i) {
      threads.emplace_back([this, i] { RunMember(i); });
    }
  } catch (const std::system_error&) {
    // The machine has no more threads to give. The others do without these members.
    for (size_t i = threads.size() + 1; i < members_.size(); ++i) {
      --left_;
      turns_.End(i);
    }
  }
  RunMember(0);
  for (std::thread& thread : threads) thread.join();
  std::vector<Run> runs;
  for (std::optional<Run>& run : runs_) {
    if (run) runs.push_back(*std::move(run));
  }
  return runs;
}

void SlicedRace::Charge(Budget& payer) const {
  for (const std::optional<Budget>& budget : budgets_) {
    if (budget) payer.Charge(*budget);
  }
}

Budget SlicedRace::BudgetOf(size_t member) {
  Budget::Limits limits{.deadline = end_};
  Budget::Beside beside;
  if (!repeatable_) beside.concluding = [this, member] { turns_.Conclude(member); };
  if (const uint64_t all = budget_.limits().bytes_max; all != UINT64_MAX) {
    limits.bytes_max = all / members_.size();
    // Never more than all of it together: a part that was granted when more members were left is
    // not larger than one that is granted now.
    if (!repeatable_) beside.bytes_max = [this, all] { return all / std::max<size_t>(left_, 1); };
  }
  if (repeatable_) {
    const uint64_t steps = budget_.limits().steps_max - budget_.steps_taken();
    limits.steps_max = budget_.spent() ? 0 : steps / members_.size();
  }
  return Budget(
      limits, [this, member] { return Clock(member); }, std::move(beside));
}

bool SlicedRace::Stopped(size_t member) const {
  if (budget_.Now() >= end_) return true;
  if (repeatable_) return false;
  if (over_ || !found_) return over_;
  return !members_[member].promises.shortest_paths ||
         options_.worked() - begins_[member] >= kShortestWait;
}

// Engines look at the clock now and then, so this is where they wait and where they are stopped.
SlicedRace::Time SlicedRace::Clock(size_t member) {
  turns_.Pass(member);
  const Time now = budget_.Now();
  if (!Stopped(member)) return now;
  turns_.Open();
  // Whom the deadline stops has to say what it found. Whom an answer stops has not.
  return now >= end_ ? end_ : Time::max();
}

void SlicedRace::RunMember(size_t member) {
  begins_[member] = options_.worked();
  turns_.Begin(member);
  if (!Stopped(member)) {
    budgets_[member] = BudgetOf(member);
    Run& run = runs_[member].emplace(Run{.member = member, .report = Explore(member)});
    run.ended_by = budgets_[member]->ended_by();
    Settle(member, run.report);
  }
  --left_;
  turns_.End(member);
}

absl::StatusOr<Report> SlicedRace::Explore(size_t member) {
  EngineOptions options{options_};
  options.threads = 1;  // The race has its own.
  if (options_.progress) {
    options.progress = [this](const model::Progress& progress) {
      const model::MutexLock lock(progress_mutex_);
      options_.progress(progress);
    };
  }
  // A service may be a plug-in. What it throws from outside of a handler must not end the process.
  try {
    return members_[member].make(service_, options)->Explore(*start_, *budgets_[member]);
  } catch (const std::exception& e) {
    return absl::FailedPreconditionError(
        absl::StrCat("the service threw outside of a handler: ", e.what()));
  }
}

void SlicedRace::Settle(size_t member, const absl::StatusOr<Report>& report) {
  if (repeatable_) return;
  const bool found = report.ok() && !report->violations.empty() && !options_.all_invariants;
  const bool answered =
      !report.ok() || report->complete || report->outcome == model::Outcome::kNondeterminism;
  if (found) found_ = true;
  if (answered || (found && members_[member].promises.shortest_paths)) over_ = true;
  if (found || answered) turns_.Open();
}

}  // namespace foretell::predictors
