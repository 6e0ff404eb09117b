#include "foretell/testing.h"
#include "lock.h"

TEST(LockTest, Holds) { EXPECT_HOLDS(LockFamily()); }

TEST(LockTest, HoldsWithMoreClients) {
  EXPECT_HOLDS(LockFamily(), {.scenario = "server-crashes,clients=3"});
}

TEST(LockTest, ForgettingTheHolderBreaksIt) {
  EXPECT_BREAKS(LockFamily(), "one-holder", {.bug = "forgets-holder"});
}
