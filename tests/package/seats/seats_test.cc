#include "seats.h"

#include "foretell/testing.h"

TEST(SeatsTest, EverybodyGetsOne) { EXPECT_HOLDS(seats::kSeats); }

TEST(SeatsTest, TheOfficeWaitsForTheWrongOne) {
  EXPECT_BREAKS(seats::kSeats, "no-deadlock", {.bug = "by-name"});
}
