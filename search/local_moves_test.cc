#include "foretell/search/local_moves.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/model/family.h"
#include "foretell/model/typed/service.h"

namespace foretell::search {
namespace {

using model::NodeId;

// Each node tells everybody, itself included, once; who hears something for the first time may
// tell the next one.
struct ShoutProtocol {
  struct Shout {};
  struct State {
    bool shouted = false;
    uint32_t heard = 0;
    FORETELL_FIELDS(shouted, heard)
  };
  using Message = Shout;
  using Action = Shout;
  model::Network net;
  uint8_t crashes_max = 0;
  uint8_t breaks_max = 0;

  uint32_t node_count() const { return 3; }
  model::Network network() const { return net; }
  model::FaultBudget faults(NodeId node) const {
    if (node != NodeId(0)) return {};
    return {.crashes_max = crashes_max, .breaks_max = breaks_max};
  }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(2) || state.shouted ? std::vector<Action>{} : std::vector<Action>{{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>& context) const {
    state.shouted = true;
    for (uint32_t n = 0; n < 3; ++n) context.Send(NodeId(n), Shout{});
  }
  void OnMessage(State& state, NodeId from, const Message&,
                 model::Context<Message>& context) const {
    const uint32_t bit = uint32_t{1} << from.value();
    const bool first = (state.heard & bit) == 0;
    state.heard |= bit;
    if (first && context.Choose(2) == 1) {
      context.Send(NodeId((context.self().value() + 1) % 3), Shout{});
    }
  }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
};

std::vector<Move> AllEnabled(GlobalSpace& space, const GlobalState& state) {
  std::vector<Move> moves;
  space.AllEnabled(state, moves);
  return moves;
}

// Asks both of up to so many states, and of each twice: what is not known yet, and what is. Returns
// how many steps were compared.
size_t Compare(const ShoutProtocol& protocol) {
  constexpr size_t kStatesMax = 20'000;
  const auto service = model::MakeService(protocol);
  model::TransitionTable table(*service);
  GlobalSpace space(table);
  LocalMoves local(space);
  size_t compared = 0;
  std::vector<GlobalState> states = {space.Start(model::InitialCut(*service))};
  const auto key = [](const GlobalState& s) {
    return std::vector<uint32_t>(s.fields().begin(), s.fields().end());
  };
  std::set<std::vector<uint32_t>> seen = {key(states[0])};
  for (size_t at = 0; at < states.size(); ++at) {
    const GlobalState from = states[at];
    for (int round = 0; round < 2; ++round) {
      std::vector<Move> moves;
      local.Look(from);
      local.AllEnabled(moves);
      EXPECT_EQ(moves, AllEnabled(space, from));
      for (const Move& move : moves) {
        const auto steps = space.Successors(move.node, from.state(move.node), move.event);
        const auto outcomes = local.Outcomes(move);
        EXPECT_EQ(outcomes.size(), steps.size());
        for (size_t i = 0; i < steps.size() && i < outcomes.size(); ++i) {
          GlobalState expected(from.node_count());
          GlobalState next(from.node_count());
          local.Apply(from, move, LocalMoves::Outcome(outcomes[i]), next);
          space.Apply(from, move.node, move.event, steps[i], expected);
          EXPECT_EQ(outcomes[i].step, steps[i]);
          EXPECT_EQ(next, expected);
          ++compared;
          if (states.size() < kStatesMax && seen.insert(key(next)).second) states.push_back(next);
        }
      }
    }
  }
  return compared;
}

TEST(LocalMovesTest, AnswerAsTheSpaceDoesOnDatagrams) { EXPECT_GT(Compare({}), 1'000u); }

TEST(LocalMovesTest, AnswerAsTheSpaceDoesWithCrashesAndDuplicates) {
  EXPECT_GT(Compare({.net = {.duplicates_max = 1}, .crashes_max = 1}), 10'000u);
}

TEST(LocalMovesTest, AnswerAsTheSpaceDoesOnStreamsThatBreak) {
  const model::Network streams{.kind = model::NetworkKind::kStreams};
  EXPECT_GT(Compare({.net = streams, .crashes_max = 1, .breaks_max = 1}), 10'000u);
}

}  // namespace
}  // namespace foretell::search
