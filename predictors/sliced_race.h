#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/budget.h"
#include "foretell/model/plain/valid_cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/turns.h"

namespace foretell::predictors {

struct SlicedRaceOptions : model::ExploreOptions {
  uint32_t threads = 1;                                      // How many members run at a time.
  std::function<model::Budget::Time()> worked = ThreadTime;  // Of the calling thread.
};

// Several engines on one start, all of them begun, in turns (predictors/turns.h): the race costs a
// small multiple of its best member, whichever that is. docs/decisions/0028-slices.md.
//
// With a deadline the first answer ends the race: a violation, a space that is covered, a service
// that is wrong. Only a violation that comes in no time waits for the engines which know the
// shortest path. With a limit on steps every member gets the same part and runs to its own end,
// so that nothing depends on threads or time.
//
// Members hold equal parts of the memory; with a deadline, what one that ended has given back goes
// to those that are left. Who needs more than its part stops.
class SlicedRace {
 public:
  // Until it has worked that long, a member that knows the shortest path is waited for.
  static constexpr std::chrono::milliseconds kShortestWait{20};

  struct Run {
    size_t member = 0;
    absl::StatusOr<model::Report> report;
    model::Budget::Limit ended_by = model::Budget::Limit::kNone;
  };

  // All outlive the race, as does the cut that `start` is of; `now` of the budget is called from
  // all threads.
  SlicedRace(const model::Service& service, model::ValidCut start, std::vector<Engine> members,
             SlicedRaceOptions options, const model::Budget& budget);

  // Once. The members that were begun, in their order.
  std::vector<Run> RunAll();

  // Afterwards: the steps that were taken, to be charged to whoever paid for them.
  void Charge(model::Budget& payer) const;

 private:
  using Time = model::Budget::Time;
  model::Budget BudgetOf(size_t member);
  // Asked by the member's own thread.
  bool Stopped(size_t member) const;
  Time Clock(size_t member);
  void RunMember(size_t member);
  absl::StatusOr<model::Report> Explore(size_t member);
  void Settle(size_t member, const absl::StatusOr<model::Report>& report);

  const model::Service& service_;
  const model::ValidCut start_;
  const std::vector<Engine> members_;
  const SlicedRaceOptions options_;
  const model::Budget& budget_;
  const bool repeatable_;
  const Time end_;
  Turns turns_;
  std::vector<Time> begins_;  // By member, as are these. Of its own time.
  std::vector<std::optional<model::Budget>> budgets_;
  std::vector<std::optional<Run>> runs_;
  std::atomic<size_t> left_;         // Members that have not ended.
  std::atomic<bool> found_ = false;  // A violation; the shortest may still be waited for.
  std::atomic<bool> over_ = false;
  model::Mutex progress_mutex_;  // Held while progress is told.
};

}  // namespace foretell::predictors
