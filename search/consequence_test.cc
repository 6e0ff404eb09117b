#include "foretell/search/consequence.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/explorers.h"

namespace foretell::search {
namespace {

using model::NodeId;

struct Ping {};

// Node 0 may ping `pings` times. Node 1 counts pings, and may sleep at any time, which is wrong
// after the first ping.
struct PingProtocol {
  struct State {
    uint32_t left = 0;
    uint32_t got = 0;
    bool asleep = false;
    FORETELL_FIELDS(left, got, asleep)
  };
  using Message = Ping;
  using Action = Ping;
  uint32_t pings = 2;
  bool sleeps = true;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId node) const { return {.left = node.value() == 0 ? pings : 0}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    const bool can = node.value() == 0 ? state.left > 0 : sleeps && !state.asleep;
    return can ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    if (state.left == 0) {
      state.asleep = true;
    } else {
      --state.left;
      context.Send(NodeId(1), {});
    }
  }
  void OnMessage(State& state, NodeId, const Message&, model::Context<Message>&) const {
    ++state.got;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::NodeInvariant<State, bool>(
        {.name = "awake", .text = "Nobody sleeps once it is pinged."},
        [](NodeId, const State& state) { return std::optional(state.asleep && state.got > 1); },
        [](bool wrong) { return wrong; })};
  }
};

model::Report Explore(const PingProtocol& protocol, bool consequence) {
  const auto service = model::MakeService(protocol);
  model::SystemCut start;
  for (uint32_t n = 0; n < 2; ++n) {
    start.nodes.push_back({.body = service->InitialState(NodeId(n))});
  }
  model::Budget budget({.steps_max = 100'000}, [] { return model::Budget::Time{}; });
  SearchOptions options;
  options.all_invariants = true;
  const auto engine = consequence ? MakeConsequenceExplorer(*service, options)
                                  : MakeGlobalExplorer(*service, options);
  const auto report = engine->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return *report;
}

TEST(ConsequenceTest, ActsOnceInEachNodeState) {
  const model::Report full = Explore({}, false);
  const model::Report report = Explore({}, true);
  EXPECT_LT(*report.stats.global_states, *full.stats.global_states);
  EXPECT_FALSE(report.complete);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0].rfind("Left out ", 0), 0u) << report.notes[0];
}

TEST(ConsequenceTest, FollowsWhatDeliveriesLeadTo) {
  const model::Report report = Explore({}, true);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].path.size(), 5u);
}

TEST(ConsequenceTest, IsCompleteIfNothingWasLeftOut) {
  // One node that acts, one that listens: each of its states is met with its events once.
  const model::Report report = Explore({.pings = 1, .sleeps = false}, true);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.outcome, model::Outcome::kNone);
  EXPECT_EQ(*report.stats.global_states, 3u);
}

}  // namespace
}  // namespace foretell::search
