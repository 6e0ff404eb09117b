#include "foretell/model/engine/shorten.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

// Each node may count by itself; node 0 may not count to two.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    FORETELL_FIELDS(count)
  };
  struct Tick {};
  using Message = Tick;
  using Action = Tick;
  uint32_t node_count() const { return 2; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State&) const { return {{}}; }
  void OnAction(State& state, const Action&, Context<Message>& context) const {
    state.count += 1 + context.Choose(2);
  }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
  std::vector<TypedInvariant<State>> Invariants() const {
    return {NodeInvariant<State, uint32_t>(
        {.name = "below-two", .text = "Node 0 stays below two.", .stable = true},
        [](NodeId node, const State& s) {
          return node == NodeId(0) ? std::optional(s.count) : std::nullopt;
        },
        [](uint32_t count) { return count >= 2; })};
  }
};

PathStep TickAt(uint32_t node, uint32_t choice) {
  return {NodeId(node), {EventKind::kAction, NodeId(0), Encode(CountProtocol::Tick{})}, {choice}};
}

TEST(ShortenTest, LeavesOutWhatTheViolationDoesNotNeed) {
  const auto service = MakeService(CountProtocol{});
  const SystemCut start = InitialCut(*service);
  const Path path = {TickAt(1, 0), TickAt(0, 0), TickAt(1, 1), TickAt(0, 0), TickAt(1, 0)};
  EXPECT_EQ(Shorten(*service, start, "below-two", path), (Path{TickAt(0, 0), TickAt(0, 0)}));
}

TEST(ShortenTest, KeepsAPathThatBreaksNothing) {
  const auto service = MakeService(CountProtocol{});
  const Path path = {TickAt(1, 0), TickAt(0, 0)};
  EXPECT_EQ(Shorten(*service, InitialCut(*service), "below-two", path), path);
}

TEST(PlainSystemTest, ARefusedStepChangesNothing) {
  const auto service = MakeService(CountProtocol{});
  SystemCut start = InitialCut(*service);
  start.in_flight.push_back({NodeId(0), NodeId(1), Encode(CountProtocol::Tick{})});
  PlainSystem system(*service, start);
  const PathStep chooses_too_much = {
      NodeId(1), {EventKind::kDeliver, NodeId(0), Encode(CountProtocol::Tick{})}, {0}};
  EXPECT_FALSE(system.Apply(chooses_too_much).ok());
  EXPECT_EQ(system.state(), start);
}

}  // namespace
}  // namespace foretell::model
