// The steps of programs by number, judged by the service whose steps they are.

#include "foretell/search/dpor/process_space.h"

#include <gtest/gtest.h>

#include <random>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/process/random/random_program.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/dpor/strategies.h"

namespace foretell::search {
namespace {

using model::process::Protocol;
using model::process::random::RandomProgram;

struct Random {
  std::vector<ProcessSpace::Taken> taken;
  std::vector<uint32_t> state;
};

// Steps at random, to the end.
Random TakeAtRandom(ProcessSpace& space, std::mt19937_64& random) {
  Random execution;
  execution.state.assign(space.start().begin(), space.start().end());
  while (true) {
    std::vector<ProcessSpace::Taken> possible;
    for (uint32_t p = 0; p < space.process_count(); ++p) {
      for (const ProcessSpace::Step& step : space.Steps(execution.state, p)) {
        possible.emplace_back(p, &step);
      }
    }
    if (possible.empty()) return execution;
    const auto [process, step] = possible[random() % possible.size()];
    execution.taken.emplace_back(process, step);
    execution.state[process] = step->process;
    execution.state.back() = step->office;
  }
}

void ExpectSame(ProcessSpace& space, const Random& execution, const ServiceWalk& walk) {
  for (uint32_t p = 0; p < space.process_count(); ++p) {
    const model::NodeState state = walk.StateOf(p);
    const bool fails = state.status == model::NodeStatus::kFailed;
    ASSERT_EQ(space.histories().WishOf(p, execution.state[p]).fails, fails);
    if (fails) continue;
    const auto decoded = model::Decode<Protocol::State>(state.body);
    ASSERT_EQ(space.histories().HistoryOf(p, execution.state[p]), decoded->process->history);
    ASSERT_EQ(space.Ended(execution.state, p),
              std::holds_alternative<model::process::EndRequest>(decoded->process->asks));
  }
}

// What is possible by number is possible in the service, comes to the same, and nothing is left.
TEST(ProcessSpaceTest, StepsAreThoseOfTheService) {
  std::mt19937_64 random(1);
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const auto service =
        model::MakeService(Protocol(RandomProgram(seed, {.several = seed % 2 == 0})));
    model::TransitionTable table(*service);
    const model::SystemCut start = model::InitialCut(*service);
    ProcessSpace space(table, start);
    const Random execution = TakeAtRandom(space, random);
    const ServiceWalk walk = space.Walk(execution.taken);
    ExpectSame(space, execution, walk);
    model::PlainSystem plain(*service, start);
    for (const model::PathStep& step : walk.path()) ASSERT_TRUE(plain.Apply(step).ok());
    EXPECT_TRUE(plain.Stuck());
  }
}

// From wherever a system is, messages under way and all, the ends are those of a space that begins
// there: an execution goes on from the middle of another.
TEST(ProcessSpaceTest, BeginsAtAnyCut) {
  std::mt19937_64 random(2);
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const auto service = model::MakeService(Protocol(RandomProgram(seed, {})));
    model::PlainSystem plain(*service, model::InitialCut(*service));
    for (uint64_t steps = random() % 20; steps > 0 && !plain.Enabled().empty(); --steps) {
      const auto enabled = plain.Enabled();
      ASSERT_TRUE(plain.Apply(enabled[random() % enabled.size()]).ok());
    }
    model::TransitionTable table(*service);
    ProcessSpace space(table, plain.state());
    const Random execution = TakeAtRandom(space, random);
    const ServiceWalk walk = space.Walk(execution.taken);
    ExpectSame(space, execution, walk);
    for (const model::PathStep& step : walk.path()) ASSERT_TRUE(plain.Apply(step).ok());
    EXPECT_TRUE(plain.Stuck());
  }
}

// Whoever holds next to nothing follows the same executions.
TEST(ProcessSpaceTest, WhatIsForgottenFollowsAgain) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const auto service = model::MakeService(Protocol(RandomProgram(seed, {})));
    std::vector<Followed> followed;
    for (const uint64_t held_max : {UINT64_MAX, uint64_t{0}}) {
      model::TransitionTable table(*service);
      ProcessSpace space(table, model::InitialCut(*service));
      Execution execution(space, Relation::kExact);
      const Follower follower{[] { return true; }, [] { return true; }, held_max};
      followed.push_back(FollowOptimal(execution, Turns::kOldest, 1000, follower));
    }
    EXPECT_EQ(followed[0].traces, followed[1].traces);
    EXPECT_EQ(followed[0].transitions, followed[1].transitions);
  }
}

}  // namespace
}  // namespace foretell::search
