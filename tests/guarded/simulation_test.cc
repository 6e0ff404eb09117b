#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_service.h"
#include "foretell/predictors/testing/holder_protocol.h"
#include "foretell/tests/guarded/judge.h"

namespace foretell::guarded {
namespace {

using ::testing::IsEmpty;

// FORETELL_GUARD_COUNT: schedules per kind of weather and of service.
uint64_t Count() {
  uint64_t count = 0;
  const char* text = std::getenv("FORETELL_GUARD_COUNT");
  if (text != nullptr && absl::SimpleAtoi(text, &count) && count > 0) return count;
  return 40;
}

struct Tally {
  uint64_t violations = 0;
  uint64_t runs_violated = 0;
  uint64_t judged = 0;
  integration::sdk::Stats stats;
};

model::System RandomSystem(uint64_t seed) {
  return integration::MakeRandomSystem(integration::RandomSpec(seed));
}

// Nodes that take and release something, again and again, and that keep it over a crash.
model::System Holders(uint64_t seed) {
  constexpr model::Scope kScopes[] = {model::Scope::kPair, model::Scope::kSystem};
  return predictors::testing::MakeHolders(
      {.nodes = 3, .turns_max = 30, .counts = true, .stable = false, .scope = kScopes[seed % 2]});
}

// They keep it for ever.
model::System Keepers(uint64_t) {
  return predictors::testing::MakeHolders({.nodes = 4, .turns_max = 1, .keeps = true});
}

// Nodes that forget in a crash that they have let go of it.
struct Forgetful {
  struct State {
    bool holds = false;
    bool released = false;
    FORETELL_FIELDS(holds, released)
  };
  struct Take {};
  struct Release {};
  struct Nothing {};
  using Message = std::variant<Nothing>;
  using Action = std::variant<Take, Release>;

  uint32_t node_count() const { return 3; }
  model::Network network() const { return {}; }
  State Initial(model::NodeId) const { return {}; }
  State OnCrash(model::NodeId, const State& state) const { return {state.holds, false}; }
  std::vector<Action> Actions(model::NodeId, const State& state) const {
    if (!state.holds) return {Take{}};
    return state.released ? std::vector<Action>{} : std::vector<Action>{Release{}};
  }
  void OnAction(State& state, const Action& action, model::Context<Message>&) const {
    (std::holds_alternative<Take>(action) ? state.holds : state.released) = true;
  }
  void OnMessage(State&, model::NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, bool>(
        {.name = "one-holder", .text = "No two nodes hold it."},
        [](model::NodeId, const State& state) -> std::optional<bool> {
          return state.holds && !state.released ? std::optional(true) : std::nullopt;
        },
        [](bool, bool) { return true; })};
  }
};

model::System Forgetters(uint64_t) {
  model::System system;
  system.service = model::MakeService(Forgetful{});
  return system;
}

Tally RunAll(model::System (*make)(uint64_t), const Weather& weather, int steps) {
  Tally tally;
  for (uint64_t seed = 1; seed <= Count(); ++seed) {
    const model::System system = make(seed);
    Cluster cluster(system, weather, seed);
    Judge judge(cluster);
    cluster.Settle();
    for (int i = 0; i < steps; ++i) cluster.Step();
    cluster.Settle();
    EXPECT_THAT(judge.broken_promises(), IsEmpty()) << "seed " << seed;
    if (!judge.broken_promises().empty()) return tally;
    tally.violations += judge.violations();
    tally.runs_violated += judge.violations() > 0 ? 1 : 0;
    tally.judged += judge.judged();
    const auto stats = cluster.Totals();
    tally.stats.guard_asked += stats.guard_asked;
    tally.stats.guard_refused += stats.guard_refused;
    tally.stats.guard_expired += stats.guard_expired;
    tally.stats.guard_lapsed += stats.guard_lapsed;
    tally.stats.guard_redone += stats.guard_redone;
    tally.stats.guard_forced += stats.guard_forced;
    tally.stats.checkpoints += stats.checkpoints;
  }
  std::printf(
      "judged %lu, violations %lu in %lu runs, asked %lu refused %lu redone %lu forced %lu "
      "expired %lu lapsed %lu checkpoints %lu\n",
      tally.judged, tally.violations, tally.runs_violated, tally.stats.guard_asked,
      tally.stats.guard_refused, tally.stats.guard_redone, tally.stats.guard_forced,
      tally.stats.guard_expired, tally.stats.guard_lapsed, tally.stats.checkpoints);
  return tally;
}

TEST(GuardSimulationTest, WithoutAnAgentTheSameSchedulesBreakInvariants) {
  for (const auto make : {RandomSystem, Holders, Keepers}) {
    const Tally tally = RunAll(make, {.agents = 0}, 200);
    EXPECT_GT(tally.runs_violated, Count() / 20);
    EXPECT_EQ(tally.stats.guard_asked, 0u);
  }
}

TEST(GuardSimulationTest, NothingIsBrokenThatAnAgentCovers) {
  for (const auto make : {RandomSystem, Holders, Keepers}) {
    const Tally tally = RunAll(make, {}, 200);
    if (make != RandomSystem) {
      EXPECT_EQ(tally.violations, 0u);  // Those have handlers that fail.
    }
    EXPECT_EQ(tally.stats.guard_expired, 0u);
    EXPECT_GT(tally.stats.guard_refused, 0u);
    EXPECT_GT(tally.judged, 0u);
  }
}

TEST(GuardSimulationTest, NorWhenNodesCrashAndMessagesAreLostOrDoubled) {
  for (const auto make : {RandomSystem, Holders, Keepers, Forgetters}) {
    const Tally tally = RunAll(make, {.faults = true}, 200);
    EXPECT_GT(tally.stats.guard_refused, 0u);
    // What is stable is guarded through crashes as well: new lives wait for their agent.
    if (make == Keepers) {
      EXPECT_EQ(tally.violations, 0u);
    }
  }
}

TEST(GuardSimulationTest, NorWhenAgentsCrashHangAndAreCutOff) {
  for (const auto make : {RandomSystem, Holders, Keepers}) {
    const Tally tally = RunAll(make, {.faults = true, .agent_faults = true}, 300);
    EXPECT_GT(tally.judged, 0u);
  }
}

TEST(GuardSimulationTest, NorWithTwoAgents) {
  for (const auto make : {RandomSystem, Holders, Keepers}) {
    const Tally tally = RunAll(make, {.agents = 2, .faults = true, .agent_faults = true}, 300);
    EXPECT_GT(tally.judged, 0u);
  }
}

TEST(GuardSimulationTest, SlowLinksMakeHoldsExpireAndPromiseNothingWrong) {
  for (const auto make : {Holders, Keepers}) {
    const Tally tally = RunAll(make,
                               {.faults = true,
                                .link_max = std::chrono::milliseconds(40),
                                .hold = std::chrono::milliseconds(50)},
                               600);
    EXPECT_GT(tally.stats.guard_expired, 0u);
    EXPECT_GT(tally.stats.guard_lapsed, 0u);
  }
}

}  // namespace
}  // namespace foretell::guarded
