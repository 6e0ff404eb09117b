#include "foretell/model/engine/invariant_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

struct Empty {};

// Three nodes with a number and something that no invariant looks at.
struct NumberProtocol {
  struct State {
    uint32_t number = 0;
    uint32_t other = 0;
    FORETELL_FIELDS(number, other)
  };
  using Message = Empty;
  using Projected = std::optional<uint32_t>;

  uint32_t node_count() const { return 3; }
  State Initial(NodeId) const { return {}; }
  void OnMessage(State&, NodeId, const Message&, Context<Message>&) const {}
  // 0 is nothing to any of them.
  static Projected Project(NodeId, const State& s) {
    return s.number == 0 ? Projected() : Projected(s.number);
  }
  std::vector<TypedInvariant<State>> Invariants() const {
    using All = std::vector<Projected>;
    return {NodeInvariant<State, uint32_t>({.name = "node", .text = "Nobody has 9."}, Project,
                                           [](uint32_t a) { return a == 9; }),
            PairInvariant<State, uint32_t>({.name = "pair", .text = "Numbers do not fall."},
                                           Project, [](uint32_t a, uint32_t b) { return a > b; }),
            SystemInvariant<State, uint32_t>(
                {.name = "system", .text = "Somebody has something."}, Project,
                [](const All& all) { return all == All(3, std::nullopt); }),
            NodeInvariant<State, uint32_t>(
                {.name = "live", .text = "Everybody gets something.", .eventually = true}, Project,
                [](uint32_t) { return true; })};
  }
};

constexpr uint32_t kFailedNode = UINT32_MAX;

class InvariantTableTest : public testing::Test {
 protected:
  NodeState Node(uint32_t number, uint32_t other = 0) const {
    if (number == kFailedNode) return {.status = NodeStatus::kFailed, .body = "why"};
    return {.body = Encode(NumberProtocol::State{number, other})};
  }
  uint32_t Signature(uint32_t node, const NodeState& state) {
    return invariants_.Signature(NodeId(node), table_.InternState(NodeId(node), state));
  }
  // The names of what these three numbers violate; the plain semantics must say the same.
  std::vector<std::string> Violated(const std::vector<uint32_t>& numbers) {
    SystemCut cut;
    std::vector<uint32_t> signatures;
    for (uint32_t n = 0; n < numbers.size(); ++n) {
      cut.nodes.push_back(Node(numbers[n]));
      signatures.push_back(Signature(n, cut.nodes.back()));
    }
    const InvariantSet violated = invariants_.Violated(signatures);
    std::vector<std::string> names;
    for (size_t i = 0; i < invariants_.count(); ++i) {
      if ((violated >> i & 1) != 0) names.push_back(invariants_.info(i).name);
    }
    std::vector<std::string> plain = PlainSystem(*service_, cut).Violated();
    std::sort(plain.begin(), plain.end());
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, plain);
    return names;
  }

  using Names = std::vector<std::string>;
  std::unique_ptr<Service> service_ = MakeService(NumberProtocol{});
  TransitionTable table_{*service_};
  InvariantTable invariants_{table_};
};

TEST_F(InvariantTableTest, AsksEachScopeTheRightNodes) {
  EXPECT_EQ(Violated({0, 1, 0}), Names{});
  EXPECT_EQ(Violated({0, 0, 0}), Names{"system"});
  EXPECT_EQ(Violated({0, 9, 0}), Names{"node"});
  EXPECT_EQ(Violated({3, 0, 2}), Names{"pair"});
  EXPECT_EQ(Violated({2, 0, 3}), Names{});
  EXPECT_EQ(Violated({9, 8, 0}), (Names{"node", "pair"}));
}

TEST_F(InvariantTableTest, GivesTheSameAnswerTwice) {
  EXPECT_EQ(Violated({3, 0, 2}), Names{"pair"});
  EXPECT_EQ(Violated({2, 0, 3}), Names{});
  EXPECT_EQ(Violated({3, 0, 2}), Names{"pair"});
}

TEST_F(InvariantTableTest, AFailedNodeCountsAsNothingAndBreaksLocalAssertions) {
  EXPECT_EQ(Violated({3, 0, kFailedNode}), Names{kLocalAssertions});
  EXPECT_EQ(Violated({kFailedNode, 0, 0}), (Names{"system", kLocalAssertions}));
}

TEST_F(InvariantTableTest, SkipsLivenessPredicates) {
  EXPECT_EQ(invariants_.count(), 5u);
  EXPECT_EQ(invariants_.assertions(), 4u);
  EXPECT_EQ(invariants_.all(), InvariantSet{0b10111});
  EXPECT_EQ(Violated({1, 1, 1}), Names{});
  EXPECT_FALSE(invariants_.Key(3, Signature(0, Node(1))).has_value());
}

TEST_F(InvariantTableTest, StatesThatLookTheSameShareASignature) {
  EXPECT_EQ(Signature(0, Node(4, 1)), Signature(0, Node(4, 2)));
  EXPECT_EQ(Signature(0, Node(4)), Signature(2, Node(4)));
  EXPECT_NE(Signature(0, Node(4)), Signature(0, Node(5)));
  EXPECT_NE(Signature(0, Node(0)), Signature(0, Node(kFailedNode)));
}

TEST_F(InvariantTableTest, ADownNodeIsSeenThroughWhatSurvived) {
  NodeState down = Node(9);
  down.status = NodeStatus::kDown;
  EXPECT_EQ(Signature(1, down), Signature(1, Node(9)));
}

TEST_F(InvariantTableTest, KeysTellWhatMatters) {
  EXPECT_FALSE(invariants_.Key(0, Signature(0, Node(0))).has_value());
  const auto three = invariants_.Key(1, Signature(0, Node(3)));
  const auto two = invariants_.Key(1, Signature(2, Node(2)));
  ASSERT_TRUE(three && two);
  EXPECT_EQ(invariants_.Key(1, Signature(1, Node(3, 8))), three);
  const std::optional<KeyId> falling[] = {three, two};
  const std::optional<KeyId> rising[] = {two, three};
  EXPECT_TRUE(invariants_.Violates(1, falling));
  EXPECT_FALSE(invariants_.Violates(1, rising));
}

}  // namespace
}  // namespace foretell::model
