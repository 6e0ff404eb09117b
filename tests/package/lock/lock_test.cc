#include "lock.h"

#include "foretell/testing.h"

TEST(LockTest, Holds) { EXPECT_HOLDS(LockFamily()); }

TEST(LockTest, ForgettingTheHolderBreaksIt) {
  EXPECT_BREAKS(LockFamily(), "one-holder", {.bug = "forgets-holder"});
}
