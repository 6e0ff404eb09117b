#include "foretell/tests/tidy/rooms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Complaints Check(const Tree& tree) {
  Complaints complaints;
  CheckRooms(tree, complaints);
  return complaints;
}

// Two rooms, of which the upper knows the lower.
Tree TwoRooms() {
  return {
      {"agent/README.md", ""},
      {"agent/up/README.md", "- Door: `up.h`\n- Knows: `agent/down`\n"},
      {"agent/up/up.h", ""},
      {"agent/up/up.cc", "#include \"foretell/agent/down/down.h\"\n"},
      {"agent/down/README.md", "- Door: `down.h`\n- Shown: `too.h`,\n  `more.h`\n\n`inner.h`\n"},
      {"agent/down/down.h", ""},
      {"agent/down/too.h", ""},
      {"agent/down/more.h", ""},
      {"agent/down/inner.h", ""}};
}

TEST(RoomsTest, FollowTheirReadmes) { EXPECT_THAT(Check(TwoRooms()), IsEmpty()); }

TEST(RoomsTest, HaveAReadmeWithADoor) {
  EXPECT_THAT(Check({{"lmc/a.cc", ""}}), ElementsAre("lmc: no README.md"));
  EXPECT_THAT(Check({{"lmc/in/a.cc", ""}, {"lmc/in/README.md", "- Door: `a.cc`\n"}}),
              ElementsAre("lmc: no README.md"));
  EXPECT_THAT(Check({{"lmc/a.cc", ""}, {"lmc/README.md", "- Door: `b.h`\n"}}),
              ElementsAre("lmc/README.md: must name one file of the room as its door"));
  EXPECT_THAT(Check({{"lmc/a.cc", ""}, {"lmc/README.md", "- Door: `a.cc`\n- Shown: `b.h`\n"}}),
              ElementsAre("lmc/README.md: shows b.h, which is not there"));
}

TEST(RoomsTest, AreEnteredByWhatTheyShow) {
  Tree tree = TwoRooms();
  tree["agent/up/too.cc"] = "#include \"foretell/agent/down/too.h\"\n";
  tree["agent/up/more.cc"] = "#include \"foretell/agent/down/more.h\"\n";
  EXPECT_THAT(Check(tree), IsEmpty());
  tree["agent/up/more.cc"] += "#include \"foretell/agent/down/inner.h\"\n";
  EXPECT_THAT(Check(tree), ElementsAre("agent/up/more.cc:2: agent/down/ does not show inner.h"));
}

TEST(RoomsTest, KnowWhatTheirReadmesSay) {
  Tree tree = TwoRooms();
  tree["agent/down/down.cc"] = "#include \"foretell/agent/up/up.h\"\n";
  EXPECT_THAT(Check(tree),
              ElementsAre("agent/down/down.cc:1: agent/down/ must not know agent/up/"));
  tree["agent/down/README.md"] += "\n- Knows: `agent/up`\n";
  EXPECT_THAT(Check(tree), ElementsAre("agent/down: knows itself through others",
                                       "agent/up: knows itself through others"));
}

TEST(RoomsTest, SayNothingThatIsNotSo) {
  Tree tree = TwoRooms();
  tree["agent/up/up.cc"] = "";
  EXPECT_THAT(Check(tree),
              ElementsAre("agent/up/README.md: knows agent/down, but includes nothing of it"));
}

TEST(RoomsTest, TestsKnowWhatTheirFolderKnows) {
  Tree tree = TwoRooms();
  tree["model/README.md"] = "- Door: `x.h`\n";
  tree["model/x.h"] = "";
  tree["agent/down/down_test.cc"] =
      "#include \"foretell/agent/up/up.h\"\n#include \"foretell/model/x.h\"\n";
  EXPECT_THAT(Check(tree), ElementsAre("agent/down/down_test.cc:2: agent/ must not know model/"));
}

TEST(RoomsTest, HaveAtMostThirtyFiles) {
  Tree tree = {{"lmc/README.md", "- Door: `a0.h`\n"}, {"lmc/a_test.cc", ""}};
  for (int i = 0; i < 30; ++i) tree["lmc/a" + std::to_string(i) + ".h"] = "";
  EXPECT_THAT(Check(tree), IsEmpty());
  tree["lmc/b.h"] = "";
  EXPECT_THAT(Check(tree), ElementsAre("lmc: 31 files side by side, limit 30"));
}

TEST(RoomsTest, PublicHeadersNeedOnlyPublicOnes) {
  Tree tree = TwoRooms();
  tree["cmake/install.cmake"] = "set(foretell_public_folders agent/up model)\n";
  EXPECT_THAT(Check(tree), IsEmpty());
  tree["agent/up/up.h"] = "#include \"foretell/agent/down/down.h\"\n";
  EXPECT_THAT(Check(tree), ElementsAre("agent/up/up.h:1: a public header includes "
                                       "agent/down/down.h, which is not"));
}

}  // namespace
}  // namespace foretell::tidy
