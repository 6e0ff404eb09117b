#include "foretell/search/explorers.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::NodeId;
using model::Outcome;
using model::Report;

struct Stride {
  uint32_t by = 0;
  FORETELL_FIELDS(by)
};

// Each node walks from 0 to `end` in strides of 3 or 1. Node 0 at `end` is a violation, and so are
// all nodes at 2.
struct WalkProtocol {
  struct State {
    uint32_t at = 0;
    FORETELL_FIELDS(at)
  };
  using Message = Stride;
  using Action = Stride;
  uint32_t nodes = 1;
  uint32_t end = 12;
  bool safe = false;

  uint32_t node_count() const { return nodes; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    std::vector<Action> actions;
    for (const uint32_t by : {3, 1}) {
      if (state.at + by <= end) actions.push_back({by});
    }
    return actions;
  }
  void OnAction(State& state, const Action& action, model::Context<Message>&) const {
    state.at += action.by;
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    using Places = std::vector<std::optional<uint32_t>>;
    const auto project = [](NodeId, const State& s) { return std::optional(s.at); };
    return {model::SystemInvariant<State, uint32_t>(
                {.name = "not-there", .text = "Node 0 never arrives."}, project,
                [end = end, safe = safe](const Places& at) { return !safe && at[0] == end; }),
            model::SystemInvariant<State, uint32_t>(
                {.name = "not-two", .text = "Not all are at 2."}, project,
                [safe = safe](const Places& at) { return !safe && at == Places(at.size(), 2); })};
  }
};

Budget Steps(uint64_t steps) {
  return Budget({.steps_max = steps}, [] { return Budget::Time{}; });
}

struct Answer {
  Report report;
  bool replays = true;
};

Answer Explore(const WalkProtocol& protocol, const SearchOptions& options, Budget budget,
               bool reduced = false) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  auto explorer =
      reduced ? MakePorExplorer(*service, options) : MakeGlobalExplorer(*service, options);
  Answer run{*explorer->Explore(start, budget)};
  for (const model::Violation& violation : run.report.violations) {
    run.replays &= model::Confirm(*service, start, violation.invariant, violation.path).ok();
  }
  return run;
}

SearchOptions With(Order order, uint32_t depth_max = UINT32_MAX, bool all = false) {
  SearchOptions options;
  options.order = order;
  options.depth_max = depth_max;
  options.all_invariants = all;
  return options;
}

size_t DepthOf(const Report& report, const std::string& invariant) {
  for (const model::Violation& violation : report.violations) {
    if (violation.invariant == invariant) return violation.path.size();
  }
  return 0;
}

using Names = std::vector<std::string>;
constexpr Order kBreadth = Order::kBreadthFirst;
constexpr Order kDepth = Order::kDepthFirst;

TEST(ExplorersTest, BreadthFirstGivesShortestPaths) {
  const Answer run = Explore({}, With(kBreadth, UINT32_MAX, true), Steps(1'000));
  EXPECT_EQ(run.report.outcome, Outcome::kViolation);
  EXPECT_TRUE(run.replays);
  EXPECT_EQ(DepthOf(run.report, "not-there"), 4u);
  EXPECT_EQ(DepthOf(run.report, "not-two"), 2u);
}

// Others need not go on while it makes certain of what it found, or that there is nothing.
TEST(ExplorersTest, TellsWhenItHasAnAnswerAndOnlyThen) {
  const auto told = [](const WalkProtocol& protocol, uint64_t steps) {
    int times = 0;
    const auto now = [] { return Budget::Time{}; };
    Explore(
        protocol, With(kBreadth),
        Budget({.steps_max = steps}, now, {.bytes_max = nullptr, .concluding = [&] { ++times; }}));
    return times;
  };
  EXPECT_EQ(told({}, 1'000), 1) << "a violation";
  EXPECT_EQ(told({.safe = true}, 1'000), 1) << "all of it";
  EXPECT_EQ(told({.safe = true}, 3), 0) << "not all of it";
}

TEST(ExplorersTest, StopsAtTheFirstViolationUnlessToldNotTo) {
  const Answer run = Explore({}, With(kBreadth), Steps(1'000));
  ASSERT_EQ(run.report.violations.size(), 1u);
  EXPECT_EQ(run.report.violations[0].invariant, "not-two");
  EXPECT_FALSE(run.report.complete);
}

TEST(ExplorersTest, DepthFirstFindsWhatIsThere) {
  const Answer run = Explore({}, With(kDepth, UINT32_MAX, true), Steps(1'000));
  EXPECT_EQ(run.report.violations.size(), 2u);
  EXPECT_TRUE(run.replays);
}

TEST(ExplorersTest, DepthFirstFindsWhatIsWithinTheBound) {
  for (const uint32_t end : {3, 6, 7, 12, 13}) {
    const uint32_t shortest = end / 3 + end % 3;
    const Answer run = Explore({1, end}, With(kDepth, shortest, true), Steps(10'000));
    EXPECT_NE(DepthOf(run.report, "not-there"), 0u) << end;
    EXPECT_TRUE(run.replays);
    const Answer short_of = Explore({1, end}, With(kDepth, shortest - 1, true), Steps(10'000));
    EXPECT_EQ(DepthOf(short_of.report, "not-there"), 0u) << end;
  }
}

TEST(ExplorersTest, DepthFirstPathsKeepTheBound) {
  const Answer run = Explore({}, With(kDepth, 4, true), Steps(10'000));
  EXPECT_LE(DepthOf(run.report, "not-there"), 4u);
}

TEST(ExplorersTest, ADepthBoundThatCutsAnythingOffIsNotComplete) {
  for (const Order order : {kBreadth, kDepth}) {
    const Answer whole = Explore({.safe = true}, With(order, 12), Steps(10'000));
    EXPECT_TRUE(whole.report.complete);
    EXPECT_EQ(whole.report.outcome, Outcome::kNone);
    EXPECT_EQ(whole.report.stats.global_states, 13u);
    const Answer near = Explore({.safe = true}, With(order, 3), Steps(10'000));
    EXPECT_FALSE(near.report.complete);
    EXPECT_EQ(near.report.outcome, Outcome::kBudget);
  }
}

TEST(ExplorersTest, CountsTheWholeSpaceInEitherOrder) {
  for (const Order order : {kBreadth, kDepth}) {
    const Answer run = Explore({.nodes = 2, .safe = true}, With(order), Steps(10'000));
    EXPECT_TRUE(run.report.complete);
    EXPECT_EQ(run.report.stats.global_states, 169u);
    EXPECT_EQ(run.report.stats.transitions, 2u * 13 * (12 + 10));
    EXPECT_EQ(run.report.stats.handler_executions, 2u * (12 + 10));
    EXPECT_EQ(run.report.stats.node_states, 26u);
  }
}

TEST(ExplorersTest, EndsWithTheStepsAndSaysSo) {
  const Answer run = Explore({.nodes = 2, .safe = true}, With(kBreadth), Steps(20));
  EXPECT_EQ(run.report.outcome, Outcome::kBudget);
  EXPECT_FALSE(run.report.complete);
  EXPECT_EQ(run.report.stats.transitions, 20u);
  EXPECT_EQ(run.report.notes, Names{"Ended by the limit on steps."});
}

TEST(ExplorersTest, EndsWithTheTimeAndSaysSo) {
  Budget late({.deadline = Budget::Time{}}, [] { return Budget::Time{}; });
  const Answer run = Explore({.nodes = 2, .safe = true}, With(kBreadth), late);
  EXPECT_EQ(run.report.outcome, Outcome::kBudget);
  EXPECT_EQ(run.report.notes, Names{"Ended by the limit on time."});
}

TEST(ExplorersTest, EndsWithTheMemoryAndSaysSo) {
  Budget small({.bytes_max = 100'000}, [] { return Budget::Time{}; });
  const Answer run = Explore({.nodes = 3, .end = 60, .safe = true}, With(kBreadth), small);
  EXPECT_EQ(run.report.outcome, Outcome::kBudget);
  EXPECT_FALSE(run.report.complete);
  EXPECT_EQ(run.report.notes, Names{"Ended by the limit on memory."});
  EXPECT_LT(*run.report.stats.global_states, 61u * 61 * 61);
}

TEST(ExplorersTest, SaysWhenItCouldNotReduce) {
  const WalkProtocol endless{.end = 1'000'000, .safe = true};
  const Answer run = Explore(endless, With(kBreadth), Steps(5'000), /*reduced=*/true);
  EXPECT_EQ(run.report.outcome, Outcome::kBudget);
  ASSERT_EQ(run.report.notes.size(), 2u);
  EXPECT_EQ(run.report.notes[0].find("Not reduced: "), 0u);
  EXPECT_EQ(run.report.notes[1], "Ended by the limit on steps.");
}

TEST(ExplorersTest, ReducedSearchFindsTheSame) {
  const Answer run = Explore({.nodes = 2}, With(kBreadth, UINT32_MAX, true), Steps(100'000), true);
  EXPECT_EQ(run.report.violations.size(), 2u);
  EXPECT_TRUE(run.replays);
}

TEST(ExplorersTest, GivesTheSameReportTwice) {
  for (const bool reduced : {false, true}) {
    const auto once = [reduced] {
      return Explore({.nodes = 2}, With(kDepth, UINT32_MAX, true), Steps(5'000), reduced).report;
    };
    const Report a = once();
    const Report b = once();
    EXPECT_EQ(a.stats.transitions, b.stats.transitions);
    EXPECT_EQ(a.stats.bytes, b.stats.bytes);
    ASSERT_EQ(a.violations.size(), b.violations.size());
    for (size_t i = 0; i < a.violations.size(); ++i) {
      EXPECT_EQ(a.violations[i].path, b.violations[i].path);
    }
  }
}

TEST(ExplorersTest, RefusesACutOfAnotherService) {
  const auto service = model::MakeService(WalkProtocol{});
  Budget budget = Steps(10);
  const auto report = MakeGlobalExplorer(*service, {})->Explore({}, budget);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(std::string(report.status().message()), "the cut has 0 nodes, the service 1");
}

}  // namespace
}  // namespace foretell::search
