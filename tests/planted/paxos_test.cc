// Paxos with the bugs of LMC section 5.5 and DEMETER section 5.3.

#include <gtest/gtest.h>

#include "foretell/integration/paxos/family.h"
#include "foretell/tests/support/planted.h"

namespace foretell::tests {
namespace {

class PlantedPaxosTest : public testing::TestWithParam<Planted> {};

TEST_P(PlantedPaxosTest, IsFoundCountedAndReplayed) {
  ExpectFound(integration::paxos::Family(), GetParam());
}

// The paths of `global` are the shortest there are. The rest is pinned: if it moves, coverage
// moved.
INSTANTIATE_TEST_SUITE_P(
    Bugs, PlantedPaxosTest,
    testing::Values(Planted{"last-response", "learned-by-one", "global", 9, 624},
                    Planted{"last-response", "learned-by-one", "por", 9, 53},
                    Planted{"last-response", "learned-by-one", "lmc", 9, 157},
                    Planted{"last-response", "learned-by-one", "lmc-gen", 9, 157},
                    Planted{"last-response", "learned-by-one", "consequence", 9, 624},
                    Planted{"last-response", "learned-by-one", "portfolio", 9, 624},
                    Planted{"forgets-promise", "restart", "global", 11, 2'501},
                    Planted{"forgets-promise", "restart", "por", 11, 122},
                    Planted{"forgets-promise", "restart", "lmc", 11, 179},
                    Planted{"forgets-promise", "restart", "lmc-gen", 11, 179},
                    Planted{"first-value", "stepping-stone", "global", 9, 529},
                    Planted{"first-value", "stepping-stone", "por", 9, 50},
                    Planted{"first-value", "stepping-stone", "consequence", 9, 529},
                    Planted{"first-value", "stepping-stone", "portfolio", 9, 529},
                    Planted{"first-value", "stepping-stone", "lmc", 9, 157},
                    Planted{"first-value", "stepping-stone", "lmc-gen", 9, 157}),
    NameOf);

}  // namespace
}  // namespace foretell::tests
