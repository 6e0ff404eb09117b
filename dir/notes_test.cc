#include "foretell/dir/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::dir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NotesTest, CountsAreReadable) {
  EXPECT_EQ(Counted(0, "unit"), "0 units");
  EXPECT_EQ(Counted(1, "unit"), "1 unit");
  EXPECT_EQ(Counted(999, "unit"), "999 units");
  EXPECT_EQ(Counted(1'000, "unit"), "1,000 units");
  EXPECT_EQ(Counted(274'139, "unit"), "274,139 units");
  EXPECT_EQ(Counted(12'345'678'901, "unit"), "12,345,678,901 units");
}

TEST(NotesTest, SaysWhatWasFound) {
  Tally tally;
  tally.skeletons = 1;
  tally.local_traces = 1'234;
  tally.global_traces = 1;
  EXPECT_EQ(CountsText(tally, true, true),
            "1 global skeleton; 1,234 local traces stand for at least 1 global trace.");
  EXPECT_EQ(CountsText(tally, true, false),
            "1 global skeleton stands for at least 1 global trace.");
  EXPECT_EQ(CountsText(tally, false, true), "1 global skeleton; 1,234 local traces so far.");
  tally.global_traces = 1e20;
  EXPECT_EQ(CountsText(tally, true, true),
            "1 global skeleton; 1,234 local traces stand for at least about 1e+20 global traces.");
}

TEST(NotesTest, TellsTornFromDamaged) {
  EXPECT_THAT(JournalNotes(0, {}), IsEmpty());
  EXPECT_THAT(JournalNotes(1, {}), ElementsAre("Went on with 1 unit of the journal."));
  EXPECT_THAT(JournalNotes(9'254, {.torn_bytes = 17}),
              ElementsAre("Went on with 9,254 units of the journal.",
                          "The journal ended within a record: 17 bytes cut off."));
  EXPECT_THAT(JournalNotes(0, {.damaged_bytes = 6'432, .damaged_places = 1, .damaged_at = 21'000}),
              ElementsAre("The journal is damaged at offset 21000: 6,432 bytes left out."));
  EXPECT_THAT(JournalNotes(0, {.damaged_bytes = 6'432, .damaged_places = 2, .damaged_at = 21}),
              ElementsAre("The journal is damaged in 2 places, the first at offset 21: 6,432 bytes "
                          "left out."));
}

}  // namespace
}  // namespace foretell::dir
