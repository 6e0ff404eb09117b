#include "foretell/dir/explore/nested_explorer.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foretell/dir/dir_explorer.h"
#include "foretell/model/family.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/service.h"

namespace foretell::dir {
namespace {

using model::NodeId;

// Nodes 0 and 1 each decide whether to be bad; node 0 is if nobody asks. No messages.
struct BadProtocol {
  struct State {
    bool decided = false;
    bool bad = false;
    FORETELL_FIELDS(decided, bad)
  };
  struct Nothing {};
  struct Decide {};
  using Message = Nothing;
  using Action = Decide;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    if (state.decided || node == NodeId(2)) return {};
    return {Decide{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.decided = true;
    state.bad = context.Choose(2) == context.self().value();
  }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto bad = [](NodeId, const State& state) -> std::optional<bool> {
      if (!state.bad) return std::nullopt;
      return true;
    };
    return {model::NodeInvariant<State, bool>({.name = "none", .text = "No node is bad."}, bad,
                                              [](bool) { return true; }),
            model::PairInvariant<State, bool>({.name = "one", .text = "Not two are."}, bad,
                                              [](bool, bool) { return true; })};
  }
};

// An invariant that two parts break together can be seen for the first time in a trace that is
// composed to show one that a part breaks alone, and that was known already.
TEST(NestedExplorerTest, WhatIsSeenOnTheWayIsNotForgotten) {
  const auto service = model::MakeService(BadProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  for (const char* const components : {"(0/1)/2", "((0/1)/2)", "0/1/2", "0,1/2", "0,1,2"}) {
    for (const uint32_t threads : {1u, 2u}) {
      DirOptions options;
      options.components = components;
      options.threads = threads;
      options.all_invariants = true;
      model::Budget budget = model::Budget::Unlimited();
      const auto report = MakeDirExplorer(*service, options)->Explore(start, budget);
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_TRUE(report->complete);
      std::set<std::string> found;
      for (const auto& violation : report->violations) found.insert(violation.invariant);
      EXPECT_EQ(found, (std::set<std::string>{"none", "one"})) << components;
    }
  }
}

// Node 2 tells node 0 a number. At 1 node 0 spins for ever; 2 is bad if node 1 so decides.
struct SpinProtocol {
  struct State {
    uint32_t number = 0;
    bool done = false;
    FORETELL_FIELDS(number, done)
  };
  struct Number {
    uint32_t number = 0;
    FORETELL_FIELDS(number)
  };
  using Message = Number;
  using Action = Number;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    const bool enabled = node == NodeId(0) ? state.number == 1 : !state.done;
    return enabled ? std::vector<Action>{Action{}} : std::vector<Action>{};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    if (context.self() == NodeId(0)) return;
    state.done = true;
    state.number = context.Choose(3);
    if (context.self() == NodeId(2)) context.Send(NodeId(0), {state.number});
  }
  void OnMessage(State& state, NodeId, const Message& message, model::Context<Message>&) const {
    state.number = message.number;
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto bad = [](NodeId node, const State& state) -> std::optional<bool> {
      if (node == NodeId(2) || state.number != 2) return std::nullopt;
      return true;
    };
    return {model::PairInvariant<State, bool>({.name = "one", .text = "Not two."}, bad,
                                              [](bool, bool) { return true; })};
  }
};

TEST(NestedExplorerTest, AnEndlessExecutionInOneEnvironmentIsNoneInAnother) {
  const auto service = model::MakeService(SpinProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  DirOptions options;
  options.components = "(0/1)/2";
  options.all_invariants = true;
  options.depth_max = 30;
  model::Budget budget = model::Budget::Unlimited();
  const auto report = MakeDirExplorer(*service, options)->Explore(start, budget);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->complete);
  EXPECT_EQ(report->violations.size(), 1u);
}

}  // namespace
}  // namespace foretell::dir
