#include "foretell/model/typed/exchanger.h"

#include <gtest/gtest.h>

#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/render.h"

namespace foretell::model {
namespace {

constexpr NodeId kA(1);
constexpr NodeId kB(3);
constexpr NodeId kOther(2);

struct Vote {
  NodeId by;
  uint32_t ballot = 0;
  FORETELL_FIELDS(by, ballot)
};

struct Everything {
  NodeId node;
  uint32_t number = 0;
  std::string text;
  std::optional<NodeId> optional;
  std::vector<NodeId> list;
  std::array<NodeId, 2> pair_of{};
  std::set<NodeId> set;
  std::map<NodeId, uint32_t> by_node;
  std::map<uint32_t, NodeId> to_node;
  std::set<std::pair<NodeId, NodeId>> edges;
  std::variant<Vote, NodeId> either;
  PerNode<uint32_t> counts;
  PerNode<std::set<NodeId>> known_by;
  NodeSet bits;
  Auxiliary<std::vector<NodeId>> log;
  Vote vote;
  FORETELL_FIELDS(node, number, text, optional, list, pair_of, set, by_node, to_node, edges, either,
                  counts, known_by, bits, log, vote)
};

Everything Sample() {
  Everything all;
  all.node = kA;
  all.number = 1;
  all.text = "1";
  all.optional = kB;
  all.list = {kA, kOther, kB, kB};
  all.pair_of = {kB, kOther};
  all.set = {kA, kOther};
  all.by_node = {{kA, 10}, {kB, 30}};
  all.to_node = {{1, kA}, {3, kB}};
  all.edges = {{kA, kOther}, {kOther, kB}};
  all.either = Vote{kB, 3};
  all.counts = PerNode<uint32_t>(4);
  all.counts[kA] = 7;
  all.known_by = PerNode<std::set<NodeId>>(4);
  all.known_by[kB] = {kB, kOther};
  all.bits.insert(kB);
  all.bits.insert(kOther);
  all.log = Auxiliary<std::vector<NodeId>>({kA});
  all.vote = {kA, 1};
  return all;
}

TEST(ExchangerTest, NodesChangePlacesWhereverTheyAreNamed) {
  Everything all = Sample();
  Exchanger({kA, kB}).In(all);
  EXPECT_EQ(RenderLine(all),
            "Everything(node=3, number=1, text=1, optional=1, list=[3 2 1 1], pair_of=[1 2], "
            "set={2 3}, by_node={1:30 3:10}, to_node={1:3 3:1}, edges={2:1 3:2}, "
            "either=Vote(by=1, ballot=3), counts=[0 0 0 7], known_by=[{} {1 2} {} {}], "
            "bits={1 2}, log=[3], vote=(by=3, ballot=1))");
}

// The bytes are canonical again: sets and maps are in order.
TEST(ExchangerTest, TwiceIsNothingAndBytesDecode) {
  const std::string before = Encode(Sample());
  std::optional<Everything> all = Decode<Everything>(before);
  ASSERT_TRUE(all.has_value());
  Exchanger({kB, kA}).In(*all);
  const std::string between = Encode(*all);
  EXPECT_NE(between, before);
  all = Decode<Everything>(between);
  ASSERT_TRUE(all.has_value());
  Exchanger({kA, kB}).In(*all);
  EXPECT_EQ(Encode(*all), before);
}

TEST(ExchangerTest, ANodeSetIsEncodedAsItsBits) {
  NodeSet set;
  set.insert(NodeId(0));
  set.insert(NodeId(2));
  EXPECT_EQ(Encode(set), Encode(uint32_t{5}));
  EXPECT_EQ(Decode<NodeSet>(Encode(uint32_t{5})), set);
  EXPECT_EQ(RenderLine(set), "{0 2}");
  EXPECT_EQ(set.size(), 2u);
  set.erase(NodeId(0));
  EXPECT_FALSE(set.contains(NodeId(0)));
  EXPECT_EQ(set.Exchanged(NodeId(2), NodeId(1)), NodeSet(2));
}

}  // namespace
}  // namespace foretell::model
