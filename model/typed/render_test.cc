#include "foretell/model/typed/render.h"

#include <gtest/gtest.h>

#include "foretell/model/typed/fields.h"

namespace foretell::model {
namespace {

enum class Phase : uint8_t { kIdle, kBusy };
const char* EnumName(Phase phase) { return phase == Phase::kIdle ? "idle" : "busy"; }
enum class Nameless : uint8_t { kThree = 3 };

struct Vote {
  uint32_t ballot = 0;
  std::optional<std::string> value;
  FORETELL_FIELDS(ballot, value)
};
struct Ping {};
struct State {
  Phase phase = Phase::kBusy;
  bool up = true;
  Vote best;
  std::vector<Vote> votes;
  std::vector<uint32_t> numbers;
  std::set<NodeId> quorum;
  std::map<uint32_t, Vote> by_index;
  std::map<uint32_t, bool> flags;
  std::optional<Vote> last;
  FORETELL_FIELDS(phase, up, best, votes, numbers, quorum, by_index, flags, last)
};

TEST(RenderTest, WritesStructsWithNamesAndFields) {
  EXPECT_EQ(RenderLine(Vote{2, "x"}), "Vote(ballot=2, value=x)");
  EXPECT_EQ(RenderLine(Vote{}), "Vote(ballot=0, value=-)");
  EXPECT_EQ(RenderLine(Ping{}), "Ping()");
  EXPECT_EQ(RenderLine(std::variant<Ping, Vote>(Vote{1, ""})), "Vote(ballot=1, value=)");
}

TEST(RenderTest, WritesScalars) {
  EXPECT_EQ(RenderLine(true), "yes");
  EXPECT_EQ(RenderLine(false), "no");
  EXPECT_EQ(RenderLine(int8_t{-5}), "-5");
  EXPECT_EQ(RenderLine(UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(RenderLine(Phase::kBusy), "busy");
  EXPECT_EQ(RenderLine(Nameless::kThree), "three");
  EXPECT_EQ(RenderLine(NodeId(4)), "4");
}

TEST(RenderTest, WritesContainers) {
  EXPECT_EQ(RenderLine(std::vector<uint32_t>{1, 2}), "[1 2]");
  EXPECT_EQ(RenderLine(std::array<bool, 2>{true, false}), "[yes no]");
  EXPECT_EQ(RenderLine(std::set<uint32_t>{2, 1}), "{1 2}");
  EXPECT_EQ(RenderLine(std::map<uint32_t, bool>{{1, true}, {2, false}}), "{1:yes 2:no}");
  EXPECT_EQ(RenderLine(std::vector<Vote>{{1, "a"}, {2, {}}}),
            "[(ballot=1, value=a) (ballot=2, value=-)]");
}

TEST(RenderTest, SeparatesTheFieldsAfterANestedStruct) {
  State state;
  state.votes = {{1, {}}};
  EXPECT_EQ(RenderLine(state),
            "State(phase=busy, up=yes, best=(ballot=0, value=-), votes=[(ballot=1, value=-)], "
            "numbers=[], quorum={}, by_index={}, flags={}, last=-)");
}

TEST(RenderTest, NamesEachLeafForDiffs) {
  State state;
  state.best = {3, "v"};
  state.votes = {{1, {}}, {2, "w"}};
  state.numbers = {5, 6};
  state.quorum = {NodeId(0), NodeId(2)};
  state.by_index = {{7, {4, {}}}};
  state.flags = {{1, true}};
  const std::vector<Field> expected = {{"phase", "busy"},           {"up", "yes"},
                                       {"best.ballot", "3"},        {"best.value", "v"},
                                       {"votes[0].ballot", "1"},    {"votes[0].value", "-"},
                                       {"votes[1].ballot", "2"},    {"votes[1].value", "w"},
                                       {"numbers", "[5 6]"},        {"quorum", "{0 2}"},
                                       {"by_index[7].ballot", "4"}, {"by_index[7].value", "-"},
                                       {"flags", "{1:yes}"},        {"last", "-"}};
  EXPECT_EQ(RenderLeaves(state), expected);
}

TEST(RenderTest, NamesTheLeavesOfTheAlternativeThatAVariantHolds) {
  using Message = std::variant<State, Vote>;
  const std::vector<Field> expected = {{"ballot", "2"}, {"value", "w"}};
  EXPECT_EQ(RenderLeaves(Message(Vote{2, "w"})), expected);
}

TEST(RenderTest, OpensAnOptionalStruct) {
  State state;
  state.last = Vote{9, "z"};
  const std::vector<Field> leaves = RenderLeaves(state);
  ASSERT_GE(leaves.size(), 2u);
  EXPECT_EQ(leaves[leaves.size() - 2], (Field{"last.ballot", "9"}));
  EXPECT_EQ(leaves.back(), (Field{"last.value", "z"}));
}

}  // namespace
}  // namespace foretell::model
