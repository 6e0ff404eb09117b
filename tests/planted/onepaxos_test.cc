// 1Paxos with the misplaced ++ of LMC section 5.6.

#include <gtest/gtest.h>

#include "foretell/integration/onepaxos/family.h"
#include "foretell/tests/support/planted.h"

namespace foretell::tests {
namespace {

class PlantedOnePaxosTest : public testing::TestWithParam<Planted> {};

TEST_P(PlantedOnePaxosTest, IsFoundCountedAndReplayed) {
  ExpectFound(integration::onepaxos::Family(), GetParam());
}

// The paths of `global` are the shortest there are. The rest is pinned: if it moves, coverage
// moved.
INSTANTIATE_TEST_SUITE_P(Bugs, PlantedOnePaxosTest,
                         testing::Values(Planted{"plus-plus", "leader-changed", "global", 3, 12},
                                         Planted{"plus-plus", "leader-changed", "por", 3, 6},
                                         Planted{"plus-plus", "leader-changed", "consequence", 3,
                                                 12},
                                         Planted{"plus-plus", "leader-changed", "portfolio", 3, 12},
                                         Planted{"plus-plus", "leader-changed", "lmc", 3, 18},
                                         Planted{"plus-plus", "leader-changed", "lmc-gen", 3, 18},
                                         Planted{"plus-plus", "boot", "global", 15, 32'458},
                                         Planted{"plus-plus", "boot", "por", 15, 67},
                                         Planted{"plus-plus", "boot", "lmc", 15, 375},
                                         Planted{"plus-plus", "boot", "lmc-gen", 15, 375}),
                         NameOf);

}  // namespace
}  // namespace foretell::tests
