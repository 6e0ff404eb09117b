// Searches over classes of node states: what they leave out, and that paths are whole again.

#include <gtest/gtest.h>

#include <variant>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"
#include "foretell/model/typed/shapes.h"
#include "foretell/search/explorers.h"
#include "foretell/search/graphs/node_graphs.h"
#include "foretell/search/minimise/minimised_nodes.h"
#include "foretell/search/naive_search.h"

namespace foretell::search {
namespace {

using model::Budget;
using model::Context;
using model::NodeId;
using model::Report;
using model::StateId;

// Nodes 1 to 3 vote once, node 0 collects votes; with two of them it is done, remembers who voted
// and does not care any more. Each vote comes behind noise, which nobody ever cared about.
struct VoteProtocol {
  struct State {
    bool voted = false;
    uint32_t voters = 0;
    FORETELL_FIELDS(voted, voters)
    bool done() const { return (voters & (voters - 1)) != 0; }
  };
  struct Noise {};
  struct Vote {};
  struct Cast {};
  using Message = std::variant<Noise, Vote>;
  using Action = std::variant<Cast>;
  model::Network net;
  bool fails = false;  // Node 0, instead of being done.
  uint8_t crashes_max = 0;

  uint32_t node_count() const { return 4; }
  model::Network network() const { return net; }
  model::FaultBudget faults(NodeId node) const {
    return {.crashes_max = node == NodeId(0) ? crashes_max : uint8_t{0}};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) || state.voted ? std::vector<Action>{} : std::vector<Action>{Cast{}};
  }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    state.voted = true;
    context.Send(NodeId(0), Noise{});
    context.Send(NodeId(0), Vote{});
    context.Send(NodeId(0), Noise{});
  }
  void OnMessage(State& state, NodeId from, const Message& message,
                 Context<Message>& context) const {
    if (std::holds_alternative<Noise>(message)) return;
    state.voters |= uint32_t{1} << from.value();
    context.Require(!fails || !state.done(), "done");
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto not_done = [](NodeId, const State& state) { return !state.done(); };
    return {model::Always("not-done", "Node 0 is never done.", not_done),
            model::WhenStuck(
                model::Always("no-end", "It is never over.", [](NodeId node, const State& state) {
                  return node == NodeId(0) || !state.voted;
                }))};
  }
};

constexpr model::Network kStreams{.kind = model::NetworkKind::kStreams};

Report Explore(const VoteProtocol& protocol, bool reduced, bool minimise) {
  const auto service = model::MakeService(protocol);
  const model::SystemCut start = model::InitialCut(*service);
  SearchOptions options;
  options.all_invariants = true;
  options.minimise = minimise;
  options.minimise_after = 0;
  Budget budget = Budget::Unlimited();
  const auto explorer =
      reduced ? MakePorExplorer(*service, options) : MakeGlobalExplorer(*service, options);
  const auto report = explorer->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();  // Paths are replayed before they are reported.
  if (!report.ok()) return {};
  const auto naive = NaiveSearch(*service, start, 1'000'000);
  EXPECT_TRUE(naive.finished);
  std::set<std::string> violated;
  for (const auto& violation : report->violations) violated.insert(violation.invariant);
  EXPECT_EQ(violated, naive.ViolatedNames());
  EXPECT_TRUE(report->complete);
  EXPECT_EQ(report->stats.classes.has_value(), minimise);
  return *report;
}

TEST(MinimisedSearchTest, WhatNobodyCanTellApartIsOneClass) {
  const auto service = model::MakeService(VoteProtocol());
  model::TransitionTable table(*service);
  model::InvariantTable invariants(table);
  NodeGraphs graphs(table, model::InitialCut(*service));
  Budget budget = Budget::Unlimited();
  ASSERT_TRUE(graphs.Grow(UINT32_MAX, budget, {}));
  EXPECT_EQ(graphs.States(NodeId(0)).size(), 8u);
  const auto nodes =
      MinimisedNodes::Make(table, invariants, graphs, invariants.all(), Inert::kDropped, budget);
  ASSERT_NE(nodes, nullptr);
  // No vote, one of three, done.
  EXPECT_EQ(nodes->States(NodeId(0)).size(), 5u);
  EXPECT_EQ(nodes->class_count(), 5u + 3 * 2);
  const StateId first = nodes->States(NodeId(0))[0];
  const StateId done = nodes->States(NodeId(0)).back();
  const LiveMessages& live = nodes->live();
  uint32_t votes = 0;
  for (uint32_t m = 0; m < table.message_count(); ++m) {
    votes += live.IsLive(NodeId(0), live.SetOf(NodeId(0), first), model::MessageId(m)) ? 1 : 0;
    EXPECT_FALSE(live.IsLive(NodeId(0), live.SetOf(NodeId(0), done), model::MessageId(m)));
  }
  EXPECT_EQ(votes, 3u);
  EXPECT_EQ(table.message_count(), 6u);
}

TEST(MinimisedSearchTest, AgreesWithTheNaiveSearch) {
  for (const model::Network net :
       {model::Network{}, model::Network{.duplicates_max = 1}, kStreams}) {
    for (const bool fails : {false, true}) {
      for (const uint8_t crashes_max : {uint8_t{0}, uint8_t{1}}) {
        for (const bool reduced : {false, true}) {
          const VoteProtocol protocol{.net = net, .fails = fails, .crashes_max = crashes_max};
          const Report plain = Explore(protocol, reduced, false);
          const Report minimised = Explore(protocol, reduced, true);
          EXPECT_LE(*minimised.stats.global_states, *plain.stats.global_states);
        }
      }
    }
  }
}

}  // namespace
}  // namespace foretell::search
