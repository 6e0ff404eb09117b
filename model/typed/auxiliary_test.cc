#include "foretell/model/typed/auxiliary.h"

#include <gtest/gtest.h>

#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/render.h"

namespace foretell::model {
namespace {

struct Note {
  uint32_t number = 0;
  FORETELL_FIELDS(number)
};

struct Inner {
  uint32_t value = 0;
  Auxiliary<uint32_t> seen;
  FORETELL_FIELDS(value, seen)
};

struct State {
  uint32_t count = 0;
  Auxiliary<std::vector<Note>> log;
  std::vector<Inner> inner;
  FORETELL_FIELDS(count, log, inner)
};

struct Claims {
  uint32_t count = 0;
  std::string log;
  template <class V>
  void Fields(V& v) {
    v("count", count);
    v.Auxiliary("log", log);
  }
};
struct Outer {
  std::map<uint32_t, Claims> parts;
  FORETELL_FIELDS(parts)
};

void Add(State& state, uint32_t number) {
  state.log.Update([](std::vector<Note>& log, const Note& n) { log.push_back(n); }, Note{number});
}

TEST(AuxiliaryTest, IsWrittenReadAndShownLikeOtherFields) {
  State state{.count = 1, .inner = {{.value = 2, .seen = Auxiliary<uint32_t>(5)}}};
  Add(state, 7);
  const std::optional<State> again = Decode<State>(Encode(state));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(Encode(*again), Encode(state));
  EXPECT_EQ(RenderLine(*again), "State(count=1, log=[(number=7)], inner=[(value=2, seen=5)])");
  const std::vector<Field> leaves = RenderLeaves(state);
  EXPECT_EQ(leaves[1], (Field{"log[0].number", "7"}));
  EXPECT_EQ(leaves[3], (Field{"inner[0].seen", "5"}));
}

TEST(AuxiliaryTest, IsNoPartOfWhatIsRelevant) {
  State a{.count = 1, .inner = {{.value = 2}}};
  State b = a;
  Add(b, 7);
  b.inner[0].seen.Update([](uint32_t& seen) { ++seen; });
  EXPECT_NE(Encode(a), Encode(b));
  EXPECT_EQ(EncodeRelevant(a), EncodeRelevant(b));
  b.inner[0].value = 3;
  EXPECT_NE(EncodeRelevant(a), EncodeRelevant(b));
  EXPECT_EQ(EncodeRelevant(Claims{1, "one"}), EncodeRelevant(Claims{1, "another"}));
  EXPECT_EQ(Decode<Claims>(Encode(Claims{1, "one"}))->log, "one");
}

TEST(AuxiliaryTest, ScansFindItWhereverItIs) {
  EXPECT_TRUE(AuxiliaryScan::Of<State>().any());
  EXPECT_TRUE(AuxiliaryScan::Of<State>().claimed().empty()) << "it cannot be read";
  EXPECT_TRUE(AuxiliaryScan::Of<Outer>().any());
  EXPECT_EQ(AuxiliaryScan::Of<Outer>().claimed(), std::vector<std::string>{"parts.log"});
  EXPECT_FALSE(AuxiliaryScan::Of<Note>().any());
}

}  // namespace
}  // namespace foretell::model
