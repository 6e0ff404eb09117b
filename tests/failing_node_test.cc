// A node that fails is not seen by invariants any more, so that a violation of a "stable" invariant
// can vanish with it. No engine may lose the violation over that.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "foretell/lmc/lmc_explorer.h"
#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"
#include "foretell/search/explorers.h"

namespace foretell {
namespace {

using model::NodeId;

// Node 0 has chosen 1 and fails when it gets a message, which is in flight. Node 1 may choose 2.
struct FailingProtocol {
  struct State {
    uint32_t chosen = 0;
    FORETELL_FIELDS(chosen)
  };
  struct Ping {};
  using Message = Ping;
  using Action = Ping;
  uint32_t node_count() const { return 2; }
  State Initial(NodeId node) const { return {.chosen = node == NodeId(0) ? 1u : 0u}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    return state.chosen == 0 ? std::vector<Action>{{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const { state.chosen = 2; }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>& context) const {
    context.Require(false, "does not expect messages");
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, uint32_t>(
        {.name = "agreement", .text = "No two nodes choose different values.", .stable = true},
        [](NodeId, const State& s) {
          return s.chosen == 0 ? std::nullopt : std::optional(s.chosen);
        },
        [](uint32_t a, uint32_t b) { return a != b; })};
  }
};

void ExpectBothFound(model::Explorer& explorer, const model::SystemCut& start) {
  model::Budget budget = model::Budget::Unlimited();
  const auto report = explorer.Explore(start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  std::vector<std::string> names;
  for (const model::Violation& violation : report->violations) names.push_back(violation.invariant);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"agreement", model::kLocalAssertions}));
}

TEST(FailingNodeTest, DoesNotTakeAViolationAwayFromAnyEngine) {
  const auto service = model::MakeService(FailingProtocol{});
  model::SystemCut start = model::InitialCut(*service);
  start.in_flight.push_back({NodeId(1), NodeId(0), model::Encode(FailingProtocol::Ping{})});
  for (const search::Order order : {search::Order::kBreadthFirst, search::Order::kDepthFirst}) {
    search::SearchOptions options;
    options.all_invariants = true;
    options.order = order;
    ExpectBothFound(*search::MakeGlobalExplorer(*service, options), start);
    ExpectBothFound(*search::MakePorExplorer(*service, options), start);
  }
  for (const lmc::Combine combine : {lmc::Combine::kByProjection, lmc::Combine::kAll}) {
    lmc::LmcOptions options;
    options.all_invariants = true;
    options.combine = combine;
    options.assertions = lmc::Assertions::kVerify;
    ExpectBothFound(*lmc::MakeLmcExplorer(*service, options), start);
  }
}

}  // namespace
}  // namespace foretell
