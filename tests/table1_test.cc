// The systems of Table I of the DBSS paper: counts are pinned. If one moves, coverage moved.

#include <gtest/gtest.h>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/search/explorers.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using model::Outcome;
using model::Report;

const integration::synod::Family kSynod;
const integration::registers::Family kRegister;

Report Global(const model::ServiceFamily& family, const std::string& scenario) {
  const model::System system = MakeOrDie(family, scenario);
  model::Budget budget = Steps(UINT64_MAX);
  return *search::MakeGlobalExplorer(*system.service, {})->Explore(system.start, budget);
}

TEST(Table1Test, UnreducedCountsAreExact) {
  const Report paxos = Global(kSynod, "paxos-6");
  EXPECT_TRUE(paxos.complete);
  EXPECT_EQ(paxos.stats.global_states, 168'852u);
  EXPECT_EQ(paxos.stats.transitions, 867'972u);
  const Report five = Global(kRegister, "register-5");
  EXPECT_TRUE(five.complete);
  EXPECT_EQ(five.stats.global_states, 54'343u);
  EXPECT_EQ(five.stats.transitions, 254'633u);
}

}  // namespace
}  // namespace foretell::tests
