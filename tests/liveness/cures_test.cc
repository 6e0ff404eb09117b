// What would help a dead state, and what would not, against the naive judge: each cure is tried on
// the plain semantics, with one fault more than the service has.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/naive_liveness.h"
#include "foretell/tests/liveness/disguise.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::Cure;
using model::SystemCut;

class FaultMore final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  model::FaultBudget faults(NodeId node) const override {
    const model::FaultBudget budget = inner_.faults(node);
    return {static_cast<uint8_t>(budget.crashes_max + 1),
            static_cast<uint8_t>(budget.breaks_max + 1)};
  }
};

// All that `event` at `node` can lead to, where it is possible.
std::vector<SystemCut> After(const model::Service& service, const SystemCut& cut,
                             model::NodeId node, const model::Event& event) {
  std::vector<SystemCut> cuts;
  for (const model::PathStep& step : model::PlainSystem(service, cut).Enabled()) {
    if (step.node != node || step.event != event) continue;
    model::PlainSystem next(service, cut);
    EXPECT_TRUE(next.Apply(step).ok());
    cuts.push_back(next.state());
  }
  return cuts;
}

std::vector<SystemCut> Treated(const model::Service& service, const SystemCut& dead,
                               const model::PathStep& cure) {
  std::vector<SystemCut> cuts = After(service, dead, cure.node, cure.event);
  if (cure.event.kind != model::EventKind::kCrash) return cuts;
  std::vector<SystemCut> up;
  for (const SystemCut& down : cuts) {
    const auto again = After(service, down, cure.node, {.kind = model::EventKind::kRestart});
    up.insert(up.end(), again.begin(), again.end());
  }
  return up;
}

struct Tally {
  uint64_t deaths = 0;
  uint64_t help = 0;
  uint64_t in_vain = 0;
};

void JudgeCure(const model::Service& service, const SystemCut& dead, const Cure& cure,
               Tally& tally) {
  const FaultMore more(service);
  const std::vector<SystemCut> treated = Treated(more, dead, cure.step);
  ASSERT_FALSE(treated.empty()) << cure.text;
  bool helps = false;
  for (const SystemCut& cut : treated) {
    const auto truth = search::NaiveLiveness(more, cut, 0, {.states_max = 4'000});
    if (!truth.finished) return;
    helps = helps || !truth.start_dead;
  }
  ASSERT_NE(cure.effect, Cure::Effect::kUnknown) << cure.text << ": a finite space is decided";
  EXPECT_EQ(cure.helps(), helps) << cure.text;
  ++(helps ? tally.help : tally.in_vain);
}

void JudgeCures(const model::Service& service, const SystemCut& start, Tally& tally) {
  search::LiveOptions options;
  options.property = Disguise::kName;
  model::Budget budget = Steps(1'000'000);
  const auto report = search::MakeLiveExplorer(service, options)->Explore(start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  if (report->violations.empty()) return;
  const model::Violation& violation = report->violations[0];
  const auto steps = model::Replay(service, start, violation.path);
  ASSERT_TRUE(steps.ok()) << steps.status();
  SystemCut dead = steps->empty() ? start : steps->back().after;
  for (const model::Message& lost : violation.death->lost) {
    dead.in_flight.erase(std::find(dead.in_flight.begin(), dead.in_flight.end(), lost));
  }
  ++tally.deaths;
  for (const Cure& cure : violation.death->cures) JudgeCure(service, dead, cure, tally);
}

TEST(CuresTest, AgreeWithTheNaiveJudge) {
  constexpr uint64_t kDeaths = 60;
  Tally tally;
  for (uint64_t seed = 1; tally.deaths < kDeaths; ++seed) {
    SCOPED_TRACE(seed);
    const model::System system = integration::MakeRandomSystem(integration::RandomSpec(seed));
    if (system.service->invariants().empty()) continue;
    const size_t invariant = seed % system.service->invariants().size();
    const Disguise service(*system.service, invariant, /*turned=*/seed / 2 % 2 == 0, seed);
    const auto truth = search::NaiveLiveness(service, system.start, 0, {.states_max = 300});
    if (!truth.finished) continue;
    JudgeCures(service, system.start, tally);
    if (HasFailure()) return;
  }
  // What cannot be wrong is not tested: there must be some of each.
  EXPECT_GT(tally.help, kDeaths / 10);
  EXPECT_GT(tally.in_vain, kDeaths / 10);
}

}  // namespace
}  // namespace foretell::tests
