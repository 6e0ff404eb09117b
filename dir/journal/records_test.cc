#include "foretell/dir/journal/records.h"

#include <gtest/gtest.h>

#include <vector>

namespace foretell::dir {
namespace {

std::vector<std::string> ReadAll(RecordReader& reader) {
  std::vector<std::string> bodies;
  while (const auto body = reader.Next()) bodies.emplace_back(*body);
  EXPECT_FALSE(reader.Next());
  return bodies;
}

TEST(JournalRecordsTest, DamageCostsNoOtherRecord) {
  const std::string one = MakeRecord("one");
  const std::string bytes =
      "!" + one + "??" + MakeRecord("") + one.substr(0, 26) + MakeRecord("two");
  RecordReader reader(bytes, 0);
  EXPECT_EQ(ReadAll(reader), (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(reader.losses().torn_bytes, 0u);
  EXPECT_EQ(reader.losses().damaged_places, 3u);
  EXPECT_EQ(reader.losses().damaged_at, 0u);
  EXPECT_EQ(reader.losses().damaged_bytes, 1u + 2 + 26);
  EXPECT_EQ(reader.end(), bytes.size());
}

TEST(JournalRecordsTest, TornIsWhatAKillLeaves) {
  const std::string one = MakeRecord("one");
  for (size_t size = 0; size < one.size(); ++size) {
    const std::string bytes = one + one.substr(0, size);
    RecordReader reader(bytes, 0);
    EXPECT_EQ(ReadAll(reader).size(), 1u);
    EXPECT_EQ(reader.losses().torn_bytes, size);
    EXPECT_EQ(reader.losses().damaged_places, 0u);
    EXPECT_EQ(reader.end(), one.size());
  }
}

TEST(JournalRecordsTest, AWholeRecordAtTheEndThatIsWrongIsNotTorn) {
  std::string bytes = MakeRecord("one") + MakeRecord("two");
  bytes.back() = 'x';
  RecordReader reader(bytes, 0);
  EXPECT_EQ(ReadAll(reader).size(), 1u);
  EXPECT_EQ(reader.losses().torn_bytes, 0u);
  EXPECT_EQ(reader.losses().damaged_at, RecordSize("one"));
  EXPECT_EQ(reader.losses().damaged_bytes, RecordSize("two"));
  EXPECT_EQ(reader.end(), RecordSize("one"));
}

// A record may hold whatever it likes, even records.
TEST(JournalRecordsTest, MarksWithinARecordDoNotMatter) {
  const std::string bytes = MakeRecord(MakeRecord("inner") + "rest");
  RecordReader reader(bytes, 0);
  EXPECT_EQ(ReadAll(reader), (std::vector<std::string>{MakeRecord("inner") + "rest"}));
}

}  // namespace
}  // namespace foretell::dir
