#include "foretell/lmc/lmc_explorer.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"
#include "foretell/search/explorers.h"

namespace foretell::lmc {
namespace {

using model::Budget;
using model::NodeId;
using model::Outcome;
using model::Report;

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// Node 0 counts to `end` by itself and tells node 1, who may then not be at the same number.
struct CountProtocol {
  using State = Number;
  using Message = Number;
  using Action = Number;
  uint32_t end = 5;
  uint32_t forbidden = 5;

  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(1) || state.n == end) return {};
    return {{1}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    ++state.n;
    if (state.n == forbidden) context.Send(NodeId(1), {state.n});
  }
  void OnMessage(State& state, NodeId, const Message& message, model::Context<Message>&) const {
    state = message;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, uint32_t>(
        {.name = "apart", .text = "Nodes are not at the forbidden number."},
        [](NodeId, const State& s) { return s.n == 0 ? std::nullopt : std::optional(s.n); },
        [f = forbidden](uint32_t a, uint32_t b) { return a == f && b == f; })};
  }
};

Budget Steps(uint64_t steps) {
  return Budget({.steps_max = steps}, [] { return Budget::Time{}; });
}

Report Explore(const model::Service& service, const model::SystemCut& start, LmcOptions options,
               Budget budget) {
  auto report = MakeLmcExplorer(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  for (const model::Violation& violation : report->violations) {
    EXPECT_TRUE(model::Confirm(service, start, violation.invariant, violation.path).ok());
  }
  return *std::move(report);
}

Report Explore(const CountProtocol& protocol, Combine combine, uint64_t steps = 100'000) {
  const auto service = model::MakeService(protocol);
  return Explore(*service, model::InitialCut(*service), {.combine = combine}, Steps(steps));
}

class LmcExplorerTest : public testing::TestWithParam<Combine> {};
INSTANTIATE_TEST_SUITE_P(Combining, LmcExplorerTest,
                         testing::Values(Combine::kByProjection, Combine::kAll));

TEST_P(LmcExplorerTest, GrowingBoundsFindWhatNeedsManyLocalEvents) {
  for (const uint32_t k : {1u, 2u, 3u, 5u, 8u, 13u}) {
    const Report report = Explore(CountProtocol{k, k}, GetParam());
    ASSERT_EQ(report.outcome, Outcome::kViolation) << k;
    EXPECT_EQ(report.violations[0].invariant, "apart");
    EXPECT_EQ(report.violations[0].path.size(), k + 1);
  }
}

TEST_P(LmcExplorerTest, IsCompleteWhenTheGraphsAreClosed) {
  const Report report = Explore(CountProtocol{20, 21}, GetParam());
  EXPECT_EQ(report.outcome, Outcome::kNone);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.node_states, 22u);
}

TEST_P(LmcExplorerTest, IsNotCompleteWhenTheBudgetEndsBeforeTheGraphsAreClosed) {
  const Report report = Explore(CountProtocol{1'000'000, 2'000'000}, GetParam(), 3'000);
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
}

TEST_P(LmcExplorerTest, FindsWhatIsNearInAnEndlessSpace) {
  const Report report = Explore(CountProtocol{UINT32_MAX, 3}, GetParam(), 3'000);
  EXPECT_EQ(report.outcome, Outcome::kViolation);
}

TEST_P(LmcExplorerTest, StartsFromACutWithMessagesInFlight) {
  const auto service = model::MakeService(CountProtocol{5, 5});
  model::SystemCut cut = model::InitialCut(*service);
  cut.nodes[0].body = model::Encode(Number{5});
  // Nothing in flight: node 0 will not say it again.
  Report report = Explore(*service, cut, {.combine = GetParam()}, Steps(1'000));
  EXPECT_EQ(report.outcome, Outcome::kNone);
  EXPECT_TRUE(report.complete);
  cut.in_flight = {{NodeId(0), NodeId(1), model::Encode(Number{5})}};
  report = Explore(*service, cut, {.combine = GetParam()}, Steps(1'000));
  ASSERT_EQ(report.outcome, Outcome::kViolation);
  EXPECT_EQ(report.violations[0].path.size(), 1u);
}

TEST_P(LmcExplorerTest, FindsAViolationThatIsThereFromTheStart) {
  const auto service = model::MakeService(CountProtocol{5, 5});
  model::SystemCut cut = model::InitialCut(*service);
  for (model::NodeState& node : cut.nodes) node.body = model::Encode(Number{5});
  const Report report = Explore(*service, cut, {.combine = GetParam()}, Steps(1'000));
  ASSERT_EQ(report.outcome, Outcome::kViolation);
  EXPECT_TRUE(report.violations[0].path.empty());
}

// A limit that ends the search is named, whichever part of the search it hits.
TEST_P(LmcExplorerTest, SaysWhichLimitEndedIt) {
  const Report report = Explore(CountProtocol{1'000'000, 2'000'000}, GetParam(), 3'000);
  EXPECT_EQ(report.notes, std::vector<std::string>{"Ended by the limit on steps."});
}

TEST_P(LmcExplorerTest, SaysThatMemoryEndedIt) {
  const auto service = model::MakeService(CountProtocol{1'000'000, 2'000'000});
  Budget small({.bytes_max = 300'000}, [] { return Budget::Time{}; });
  const Report report =
      Explore(*service, model::InitialCut(*service), {.combine = GetParam()}, small);
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.notes, std::vector<std::string>{"Ended by the limit on memory."});
}

TEST_P(LmcExplorerTest, SaysThatTimeEndedIt) {
  const auto service = model::MakeService(CountProtocol{1'000'000, 2'000'000});
  // A clock that takes a second for each look at it.
  Budget::Time now{};
  const auto tick = [&now] { return now += std::chrono::seconds(1); };
  const Report report = Explore(*service, model::InitialCut(*service), {.combine = GetParam()},
                                Budget({.deadline = now + std::chrono::seconds(60)}, tick));
  EXPECT_EQ(report.outcome, Outcome::kBudget);
  EXPECT_EQ(report.notes, std::vector<std::string>{"Ended by the limit on time."});
}

TEST_P(LmcExplorerTest, GivesTheSameReportTwice) {
  const Report a = Explore(CountProtocol{9, 7}, GetParam());
  const Report b = Explore(CountProtocol{9, 7}, GetParam());
  ASSERT_EQ(a.violations.size(), 1u);
  ASSERT_EQ(b.violations.size(), 1u);
  EXPECT_EQ(a.violations[0].path, b.violations[0].path);
  EXPECT_EQ(a.stats.transitions, b.stats.transitions);
  EXPECT_EQ(a.stats.bytes, b.stats.bytes);
}

// Node 0 gives the one token to node 1 or to node 2, which the graphs do not know of each other.
// Meanwhile all others count to two, at once or one by one, so that paths of different lengths
// meet.
struct TokenProtocol {
  struct State {
    uint32_t count = 0;
    bool gave = false;
    bool holds = false;
    FORETELL_FIELDS(count, gave, holds)
  };
  struct Token {};
  using Message = Token;
  using Action = Number;

  uint32_t node_count() const { return 5; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (node == NodeId(0)) return std::vector<Action>(state.gave ? 0 : 1);
    if (state.count == 0) return {{2}, {1}};
    return std::vector<Action>(state.count == 1 ? 1 : 0, Number{1});
  }
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const {
    state.count += action.n;
    if (context.self() != NodeId(0)) return;
    state.gave = true;
    context.Send(NodeId(1 + context.Choose(2)), {});
  }
  void OnMessage(State& state, NodeId, const Message&, model::Context<Message>&) const {
    state.holds = true;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::AtMostOne("one-holder", &State::holds)};
  }
};

// Nothing ever comes back here, so that the cycle proviso would only undo the reduction.
TEST(LmcExplorerReductionTest, VerifiesInNoMoreStatesThanTheReducedSearch) {
  const auto service = model::MakeService(TokenProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  const Report local = Explore(*service, start, {}, Steps(1'000'000));
  Budget budget = Steps(1'000'000);
  const auto reduced = search::MakePorExplorer(*service, {})->Explore(start, budget);
  ASSERT_TRUE(reduced.ok());
  EXPECT_TRUE(local.complete && reduced->complete);
  EXPECT_GT(local.stats.global_states, 1u) << "there is something to verify";
  EXPECT_LE(local.stats.global_states, reduced->stats.global_states);
}

// With one local event nobody gets from one to two, and with two the graphs are closed.
TEST(LmcExplorerReductionTest, VerifiesOnceWhatIsClosedSoon) {
  const auto service = model::MakeService(TokenProtocol{});
  const Report report = Explore(*service, model::InitialCut(*service), {}, Steps(1'000'000));
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.stats.soundness_checks, 1u);
}

TEST(LmcExplorerFailureTest, RefusesACutOfAnotherService) {
  const auto service = model::MakeService(CountProtocol{});
  Budget budget = Steps(10);
  EXPECT_FALSE(MakeLmcExplorer(*service, {})->Explore({}, budget).ok());
}

}  // namespace
}  // namespace foretell::lmc
