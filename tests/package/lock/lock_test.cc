#include "lock.h"

#include "foretell/testing.h"

TEST(LockTest, Holds) { EXPECT_HOLDS(kLock); }

TEST(LockTest, ForgettingTheHolderBreaksIt) {
  EXPECT_BREAKS(kLock, "one-holder", {.bug = "forgets-holder"});
}
