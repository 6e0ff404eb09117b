#include "dir/watch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "model/context.h"
#include "model/family.h"
#include "model/typed_invariant.h"
#include "model/typed_service.h"

namespace foretell::dir {
namespace {

using model::NodeId;

// Every node counts to three. Neighbours should be both even or both odd, nodes should not count.
struct CountProtocol {
  struct State {
    uint32_t count = 0;
    template <class V>
    void Fields(V& v) {
      v("count", count);
    }
  };
  struct Nothing {
    static constexpr const char* kName = "Nothing";
    template <class V>
    void Fields(V&) {}
  };
  struct Add {
    static constexpr const char* kName = "Add";
    template <class V>
    void Fields(V&) {}
  };
  using Message = Nothing;
  using Action = Add;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.count == 3) return {};
    return {Add{}};
  }
  void OnAction(State& state, const Action&, model::Context<Message>&) const { ++state.count; }
  void OnMessage(State&, NodeId, const Message&, model::Context<Message>&) const {}

  struct Place {
    uint32_t node = 0;
    uint32_t count = 0;
    template <class V>
    void Fields(V& v) {
      v("node", node);
      v("count", count);
    }
  };
  std::vector<model::TypedInvariant<State>> Invariants() const {
    const auto place = [](NodeId node, const State& state) -> std::optional<Place> {
      return Place{node.value(), state.count};
    };
    return {
        model::PairInvariant<State, Place>(
            {.name = "parity", .text = "Neighbours are both even or both odd."}, place,
            [](const Place& a, const Place& b) {
              return a.node + 1 == b.node && a.count % 2 != b.count % 2;
            }),
        model::NodeInvariant<State, Place>({.name = "zero", .text = "Nodes do not count."}, place,
                                           [](const Place& at) { return at.count > 0; })};
  }
};

class WatchTest : public testing::Test {
 protected:
  WatchTest() : service_(model::MakeService(CountProtocol{})) {}

  // What is seen of each count of a node.
  std::vector<Signature> Seen(uint32_t node, const Components& components, model::Budget budget) {
    const model::SystemCut start = model::InitialCut(*service_);
    Prospects prospects(*service_, start, budget);
    const Watch watch(*service_, prospects, budget);
    std::vector<Signature> seen;
    model::NodeState state = start.nodes[node];
    for (uint32_t count = 0; count <= 3; ++count) {
      seen.push_back(watch.Seen(NodeId(node), state, components));
      if (count == 3) break;
      const model::Event add{.kind = model::EventKind::kAction,
                             .body = service_->Actions(NodeId(node), state.body).front()};
      state.body = service_->Run(NodeId(node), state.body, std::span(&add, 1), {}).state;
    }
    return seen;
  }

  std::unique_ptr<model::Service> service_;
  const Signature nothing_;
};

TEST_F(WatchTest, ProjectionsThatBreakTheSameLookTheSame) {
  const auto seen = Seen(1, Components::Nodes(3), model::Budget::Unlimited());
  EXPECT_NE(seen[0], nothing_);
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
  EXPECT_EQ(seen[1], seen[3]);
}

TEST_F(WatchTest, OnlyOtherComponentsMatter) {
  const Components halves = *Components::Parse("0,1/2", 3);
  const std::vector<Signature> blind(4, nothing_);
  EXPECT_EQ(Seen(0, halves, model::Budget::Unlimited()), blind) << "its neighbour is at home";
  EXPECT_NE(Seen(1, halves, model::Budget::Unlimited()), blind);
  EXPECT_EQ(Seen(1, Components::Whole(3), model::Budget::Unlimited()), blind);
}

TEST_F(WatchTest, WithoutKnowledgeAllProjectionsDiffer) {
  model::Budget none({.steps_max = 1}, [] { return model::Budget::Time{}; });
  const auto seen = Seen(0, *Components::Parse("0,1/2", 3), none);
  EXPECT_EQ(std::set<Signature>(seen.begin(), seen.end()).size(), 4u);
  EXPECT_NE(seen[0], nothing_);
}

// Counts for long, and nobody looks.
struct LongProtocol : CountProtocol {
  std::vector<Action> Actions(NodeId, const State& state) const {
    if (state.count == 2'000) return {};
    return {Add{}};
  }
  std::vector<model::TypedInvariant<State>> Invariants() const {
    return {model::PairInvariant<State, Place>(
        {.name = "blind", .text = "Whatever."},
        [](NodeId, const State&) -> std::optional<Place> { return std::nullopt; },
        [](const Place&, const Place&) { return true; })};
  }
};

TEST(WatchBudgetTest, LookingAtAllStatesEndsWithTheTime) {
  const auto service = model::MakeService(LongProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  model::Budget enough = model::Budget::Unlimited();
  Prospects prospects(*service, start, enough);
  ASSERT_TRUE(prospects.closed);
  EXPECT_TRUE(Watch(*service, prospects, enough).known());
  model::Budget late({.deadline = model::Budget::Time{}}, [] { return model::Budget::Time{}; });
  EXPECT_FALSE(Watch(*service, prospects, late).known());
}

}  // namespace
}  // namespace foretell::dir
