#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/portfolio.h"

namespace foretell::predictors {

struct RaceOptions {
  std::vector<std::string> engines;  // Names of predictors/engines.h; earlier ones are preferred.
  uint32_t threads = 1;
  uint32_t depth_max = UINT32_MAX;
  std::string components;            // For dir.
  std::vector<std::string> ignored;  // Invariants that nobody looks for.
  bool all_invariants = true;        // Go on after a violation until every invariant is decided.
  std::set<std::string> told;        // Violations that are no news, and that nobody waits for.
  model::ProgressSink progress;      // May be empty. Called by one thread at a time.
};

// Several engines on several starts, in threads. A job is one engine on one start; jobs are taken
// start by start, engine by engine.
//
// With a deadline, answers count as they come: a start that one engine has covered completely is
// taken from the others, what is found need not be looked for again, and once something is found
// only a part of the time is spent on the rest. If it is news, no more than it took to find it: the
// search for what else is wrong may double the wait for an answer, and not make it a multiple.
// With a limit on steps the race is repeatable instead: every job gets the same number of steps and
// runs to its own end, whatever the others do and however many threads there are.
//
// Each job has tables of its own. Sharing them would need a lock around every lookup, and lookups
// are what a search consists of. What it would save is handlers that run once per table instead of
// once: on Paxos with two and three proposals, 10 % of the time of `por` and `lmc` at the most.
class Race {
 public:
  // Handed every violation that an engine claims, one at a time. Says whether it counts.
  using Judge = std::function<bool(size_t start, size_t engine, const model::Violation& claim)>;

  // All outlive the race, as do the cuts that `starts` are of; `now` of the budget is called from
  // all threads.
  Race(const model::Service& service, std::vector<model::ValidCut> starts, RaceOptions options,
       const model::Budget& budget);

  // Runs once. `found` are invariants that nobody needs to look for any more. Returns the jobs that
  // were begun, in their order.
  std::vector<EngineRun> Run(std::set<std::string> found, const Judge& judge);

  // After Run: what the jobs spent, to be charged to whoever paid for it.
  void Charge(model::Budget& payer) const;

 private:
  using Time = model::Budget::Time;
  struct Job {
    size_t start = 0;
    size_t engine = 0;
    std::optional<EngineRun> run;
    std::optional<model::Budget> budget;
  };
  void Work();
  bool Stopped(size_t start) const;
  model::Budget BudgetOf(size_t job) const;
  void RunJob(Job& job);
  absl::StatusOr<model::Report> Explore(const Job& job, const std::vector<std::string>& hidden,
                                        bool all_invariants, model::Budget& budget);
  absl::StatusOr<model::Report> ExploreInPasses(const Job& job, model::Budget& budget);
  // Leaves the claims that count and are new; what counts is told to everybody.
  void Submit(const Job& job, std::vector<model::Violation>& claims) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::string> Hidden() ABSL_LOCKS_EXCLUDED(mutex_);
  bool Ignored(const std::string& invariant) const;
  bool AnythingLeft(const std::set<std::string>& found) const;
  void StopSoon(bool news);

  const model::Service& service_;
  const std::vector<model::ValidCut> starts_;
  const RaceOptions options_;
  const model::Budget& budget_;
  const bool repeatable_;
  const Time begin_;
  const Time end_;
  const Judge* judge_ = nullptr;
  std::vector<Job> jobs_;
  std::atomic<size_t> next_ = 0;
  std::atomic<Time::rep> stop_at_;
  std::vector<std::atomic<bool>> covered_;  // By start.
  std::set<std::string> found_before_;
  model::Mutex mutex_;
  std::set<std::string> found_ ABSL_GUARDED_BY(mutex_);
  model::Mutex progress_mutex_;  // Held while progress is told.
};

}  // namespace foretell::predictors
