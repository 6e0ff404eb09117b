#include "foretell/predictors/views/horizon.h"

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "foretell/model/liveness/recovery.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/views/service_views.h"

namespace foretell::predictors {
namespace {

using model::EventKind;
using model::PathStep;
using model::PlainSystem;

// One run in which nothing goes wrong.
class GoodRun {
 public:
  // Run 0 takes the oldest message, and the first of what a handler may choose.
  GoodRun(const model::Service& service, const model::SystemCut& cut, uint32_t seed)
      : service_(service), system_(service, cut), seed_(seed), chance_(seed) {}

  const PlainSystem& system() const { return system_; }

  // False if nothing can happen any more.
  bool Step() {
    std::vector<PathStep> arrive;
    std::vector<PathStep> others;
    for (PathStep& step : system_.Enabled()) {
      if (HelpOf(service_, step.event) == model::Help::kAdverse) continue;
      (step.event.kind == EventKind::kDeliver ? arrive : others).push_back(std::move(step));
    }
    if (arrive.empty() && others.empty()) return false;
    return system_.Apply(arrive.empty() ? others[turn_++ % others.size()] : OneOf(arrive)).ok();
  }

 private:
  const PathStep& OneOf(const std::vector<PathStep>& steps) {
    return steps[seed_ == 0 ? 0 : chance_() % steps.size()];
  }

  const model::Service& service_;
  PlainSystem system_;
  const uint32_t seed_;
  std::minstd_rand chance_;
  size_t turn_ = 0;
};

}  // namespace

std::vector<std::string> HoldAgain(const model::Service& service, const model::SystemCut& cut,
                                   const std::string& safe, Horizon horizon) {
  std::vector<std::string> goals;
  for (const model::InvariantInfo& info : service.invariants()) {
    if (info.eventually) goals.push_back(info.name);
  }
  if (goals.empty()) return goals;
  const OpenToCalls open(service);
  const InvariantView view = InvariantView::Goals(open, goals, safe);
  std::set<std::string> again;
  for (uint32_t seed = 0; seed < horizon.runs; ++seed) {
    GoodRun run(view, cut, seed);
    std::set<std::string> came;
    std::vector<std::string> before = run.system().Violated();
    for (size_t step = 0; step < horizon.steps_max && run.Step(); ++step) {
      std::vector<std::string> after = run.system().Violated();
      for (const std::string& goal : after) {
        if (std::find(before.begin(), before.end(), goal) != before.end()) continue;
        if (!came.insert(goal).second) again.insert(goal);
      }
      before = std::move(after);
    }
  }
  return {again.begin(), again.end()};
}

}  // namespace foretell::predictors
