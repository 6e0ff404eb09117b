#include "foretell/agent/recorded/archive_check.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/portfolio.h"

namespace foretell::agent {
namespace {

using Time = Console::Time;

class ArchiveCheck {
 public:
  ArchiveCheck(const ArchiveCheckPlan& plan, Console& console)
      : plan_(plan),
        console_(console),
        guarded_{.out = console.out,
                 .err = console.err,
                 .out_style = console.out_style,
                 .err_style = console.err_style,
                 .live = console.live,
                 .now = [this] { return Now(); },
                 .interrupted = [this] { return Interrupted(); }},
        verdicts_(plan.entries.size()) {}

  std::vector<CutVerdict> Run() {
    std::vector<std::thread> threads;
    const size_t jobs = std::min<size_t>(plan_.jobs, plan_.entries.size());
    for (size_t i = 0; i < jobs; ++i) threads.emplace_back([this] { Work(); });
    Watch();
    for (std::thread& thread : threads) thread.join();
    const model::MutexLock lock(mutex_);
    return std::move(verdicts_);
  }

 private:
  Time Now() ABSL_LOCKS_EXCLUDED(outside_) {
    const model::MutexLock lock(outside_);
    return console_.now();
  }
  bool Interrupted() ABSL_LOCKS_EXCLUDED(outside_) {
    const model::MutexLock lock(outside_);
    return console_.interrupted();
  }

  // Shows how far it has come until all is done.
  void Watch() ABSL_LOCKS_EXCLUDED(mutex_) {
    LiveLine line(guarded_);
    const size_t total = plan_.entries.size();
    model::MutexLock lock(mutex_);
    while (finished_ < next_ || (next_ < total && !stopped_)) {
      changed_.WaitFor(mutex_, std::chrono::milliseconds(100));
      const std::string text =
          absl::StrCat("checking cuts  ", FormatCount(finished_), " of ", FormatCount(total), "  ",
                       FormatCount(predicted_), " with a violation");
      lock.Unlock();
      if (line.Due()) line.Show(text);
      lock.Lock();
    }
  }

  void Work() ABSL_LOCKS_EXCLUDED(mutex_) {
    for (;;) {
      const bool interrupted = Interrupted();
      size_t index = 0;
      {
        const model::MutexLock lock(mutex_);
        stopped_ = stopped_ || interrupted;
        if (stopped_ || next_ == plan_.entries.size()) break;
        index = next_++;
      }
      CutVerdict verdict = Check(index);
      const model::MutexLock lock(mutex_);
      predicted_ += verdict.predictions.empty() ? 0 : 1;
      verdicts_[index] = std::move(verdict);
      ++finished_;
      changed_.NotifyOne();
    }
    const model::MutexLock lock(mutex_);
    changed_.NotifyOne();
  }

  CutVerdict Check(size_t index) {
    CutVerdict verdict{.done = true};
    const Time begin = Now();
    const auto recorded = plan_.archive->Load(plan_.entries[index]);
    verdict.status = recorded.ok()
                         ? Explore(recorded->snapshot.cut, *plan_.selections[index], begin, verdict)
                         : recorded.status();
    verdict.seconds = std::chrono::duration<double>(Now() - begin).count();
    return verdict;
  }

  absl::Status Explore(const model::SystemCut& cut, const Selection& selection, Time begin,
                       CutVerdict& verdict) {
    const model::Service& service = *selection.system.service;
    const Time deadline = begin + plan_.budget;
    model::Budget budget({plan_.steps, plan_.bytes, deadline},
                         [this, deadline] { return Interrupted() ? deadline : Now(); });
    if (plan_.engine == nullptr) return Predict(cut, selection, budget, verdict);
    const auto spaces = SpacesOf(service, cut);
    if (!spaces.ok()) return spaces.status();
    predictors::EngineOptions options;
    options.all_invariants = true;  // Each one has its own first cut.
    options.components = selection.system.components;
    options.threads = 1;  // Jobs are the threads.
    options.progress = [](const model::Progress&) {};
    const auto explored = ExploreSpaces(*plan_.engine, options, service, *spaces,
                                        /*first_only=*/false, budget);
    if (!explored.ok()) return explored.status();
    verdict.outcome = explored->report.outcome;
    verdict.complete = explored->report.complete;
    for (size_t i = 0; i < explored->spaces.size(); ++i) {
      const model::Violation& violation = explored->report.violations[i];
      verdict.predictions.push_back({violation.invariant, violation.path.size(),
                                     (*spaces)[explored->spaces[i]].text,
                                     violation.path.empty() ? "" : plan_.engine->name});
    }
    return absl::OkStatus();
  }

  // As an agent does, but for what it would remember of the cuts before: each is on its own, and
  // several are looked at at a time.
  absl::Status Predict(const model::SystemCut& cut, const Selection& selection,
                       const model::Budget& budget, CutVerdict& verdict) {
    const auto portfolio = predictors::Portfolio::Make(
        *selection.system.service, {.threads = 1, .components = selection.system.components});
    if (!portfolio.ok()) return portfolio.status();
    const auto prediction = (*portfolio)->Predict(cut, budget);
    if (!prediction.ok()) return prediction.status();
    absl::Status failed;  // The first that did; the others go on.
    for (const predictors::EngineRun& run : prediction->runs) {
      if (!run.status.ok() && failed.ok()) failed = run.status;
      if (run.report.outcome == model::Outcome::kNondeterminism) {
        verdict.outcome = run.report.outcome;
        return absl::OkStatus();
      }
    }
    for (const predictors::Predicted& one : prediction->predicted) {
      const bool happened = one.violation.path.empty();
      verdict.predictions.push_back({one.violation.invariant, one.violation.path.size(),
                                     happened ? "" : prediction->SpaceOf(one).text,
                                     happened ? "" : one.engine});
    }
    verdict.complete = prediction->complete_spaces == prediction->spaces.size();
    verdict.outcome = !verdict.predictions.empty() ? model::Outcome::kViolation
                      : verdict.complete           ? model::Outcome::kNone
                                                   : model::Outcome::kBudget;
    return verdict.outcome == model::Outcome::kBudget ? failed : absl::OkStatus();
  }

  const ArchiveCheckPlan& plan_;
  model::Mutex outside_;
  Console& console_ ABSL_GUARDED_BY(outside_);  // For its clock and its interrupt.
  Console guarded_;

  model::Mutex mutex_;
  model::ConditionVariable changed_;
  std::vector<CutVerdict> verdicts_ ABSL_GUARDED_BY(mutex_);
  size_t next_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t predicted_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

std::vector<CutVerdict> CheckArchive(const ArchiveCheckPlan& plan, Console& console) {
  return ArchiveCheck(plan, console).Run();
}

}  // namespace foretell::agent
