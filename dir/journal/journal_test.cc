#include "foretell/dir/journal/journal.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "foretell/dir/journal/file.h"
#include "foretell/dir/testing/temp_folder.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::dir {
namespace {

using model::EventKind;
using model::NodeId;
using testing::TempFolder;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void WriteAll(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A result with one trace of two steps.
UnitResult Sample(uint64_t number, EventNumbers& event_numbers) {
  Behaviour behaviour;
  behaviour.signature = {7, number};
  behaviour.transitions = {{{7, number}, 1}};
  TraceStep first;
  first.number = event_numbers.Number({NodeId(0), {EventKind::kAction, NodeId(0), "go"}});
  TraceStep second;
  second.number = event_numbers.Number({NodeId(0), {EventKind::kDeliver, NodeId(1), "hi"}});
  second.outcome = 1;
  second.received = {3, 4};
  second.past.Set(0);
  behaviour.trace = {first, second};
  return {ComponentId(0), {1, number}, {{behaviour, 5}}};
}

class JournalTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<JournalFile>> Open(const std::string& identity = "me") {
    return JournalFile::Open(path_, identity, components_, event_numbers_);
  }

  absl::StatusOr<std::unique_ptr<JournalFile>> OpenIn(snapshot::FileSystem& files) {
    return JournalFile::Open(
        kInMemory, "me", components_, event_numbers_, [] { return JournalFile::Time(); }, files);
  }

  static constexpr char kInMemory[] = "/d/journal";
  const std::string path_ = TempFolder() + "/journal";
  const Components components_ = Components::Nodes(2);
  EventNumbers event_numbers_;
};

TEST_F(JournalTest, AResultIsTheSameInAnotherProcess) {
  const std::string bytes = EncodeResult(Sample(1, event_numbers_), event_numbers_);
  EventNumbers other;
  other.Number({NodeId(1), {EventKind::kAction, NodeId(0), "something else"}});
  const auto result = DecodeResult(bytes, components_, other);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->environment, (Signature{1, 1}));
  ASSERT_EQ(result->traces.size(), 1u);
  EXPECT_EQ(result->traces[0].second, 5u);
  const Behaviour& behaviour = result->traces[0].first;
  ASSERT_EQ(behaviour.trace.size(), 2u);
  EXPECT_EQ(other.At(behaviour.trace[1].number).event.body, "hi");
  EXPECT_TRUE(behaviour.trace[1].past.Test(0));
  EXPECT_EQ(EncodeResult(*result, other), bytes);
}

TEST_F(JournalTest, WhateverByteIsBadIsNoticed) {
  const std::string bytes = EncodeResult(Sample(1, event_numbers_), event_numbers_);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeResult(bytes.substr(0, size), components_, event_numbers_).ok()) << size;
  }
  // Any byte may be another one: the answer may be another result, but no crash.
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(value);
      (void)DecodeResult(changed, components_, event_numbers_);
    }
  }
}

TEST_F(JournalTest, KeepsWhatWasWrittenWhereverItIsKilled) {
  std::vector<uint64_t> sizes;  // After each record.
  {
    const auto journal = Open();
    ASSERT_TRUE(journal.ok()) << journal.status();
    sizes.push_back(ReadAll(path_).size());
    for (uint64_t number = 1; number <= 3; ++number) {
      (*journal)->Write(Sample(number, event_numbers_));
      sizes.push_back(ReadAll(path_).size());
    }
    EXPECT_TRUE((*journal)->status().ok());
  }
  const std::string whole = ReadAll(path_);
  for (size_t size = 0; size <= whole.size(); ++size) {
    WriteAll(path_, whole.substr(0, size));
    auto journal = Open();
    ASSERT_TRUE(journal.ok()) << size << " " << journal.status();
    EXPECT_EQ((*journal)->losses().damaged_bytes, 0u) << size;
    const size_t kept = std::upper_bound(sizes.begin(), sizes.end(), size) - sizes.begin();
    EXPECT_EQ((*journal)->TakeResults().size(), kept == 0 ? 0 : kept - 1) << size;
    // And it can be written to.
    (*journal)->Write(Sample(9, event_numbers_));
    EXPECT_TRUE((*journal)->status().ok());
    journal->reset();
    const auto again = Open();
    ASSERT_TRUE(again.ok());
    EXPECT_EQ((*again)->TakeResults().size(), kept == 0 ? 1 : kept) << size;
    EXPECT_EQ((*again)->losses().torn_bytes, 0u);
    EXPECT_EQ((*again)->losses().damaged_bytes, 0u);
  }
}

// A bad byte costs its own record. All others count, and nothing else does.
TEST_F(JournalTest, NoChangedByteIsTakenForAResult) {
  std::vector<uint64_t> sizes;
  std::vector<std::string> written;
  {
    const auto journal = Open();
    sizes.push_back(ReadAll(path_).size());
    for (uint64_t number = 1; number <= 3; ++number) {
      written.push_back(EncodeResult(Sample(number, event_numbers_), event_numbers_));
      (*journal)->Write(Sample(number, event_numbers_));
      sizes.push_back(ReadAll(path_).size());
    }
  }
  const std::string whole = ReadAll(path_);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    WriteAll(path_, changed);
    const auto journal = Open();
    EXPECT_EQ(journal.ok(), at >= sizes[0]) << at;
    if (!journal.ok()) continue;
    const size_t bad = std::upper_bound(sizes.begin(), sizes.end(), at) - sizes.begin() - 1;
    std::vector<std::string> expected = written;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(bad));
    std::vector<std::string> read;
    for (const UnitResult& result : (*journal)->TakeResults()) {
      read.push_back(EncodeResult(result, event_numbers_));
    }
    EXPECT_EQ(read, expected) << at;
    if (bad == 2) continue;  // May look like the beginning of a longer one.
    EXPECT_EQ((*journal)->losses().torn_bytes, 0u) << at;
    EXPECT_EQ((*journal)->losses().damaged_at, sizes[bad]) << at;
    EXPECT_EQ((*journal)->losses().damaged_bytes, sizes[bad + 1] - sizes[bad]) << at;
  }
}

TEST_F(JournalTest, IsWrittenToBehindWhatIsDamaged) {
  uint64_t begin = 0;
  {
    const auto journal = Open();
    begin = ReadAll(path_).size();
    for (uint64_t number = 1; number <= 2; ++number)
      (*journal)->Write(Sample(number, event_numbers_));
  }
  std::string bytes = ReadAll(path_);
  bytes[begin + 30] ^= 1;
  WriteAll(path_, bytes);
  { (*Open())->Write(Sample(1, event_numbers_)); }
  const auto journal = Open();
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_EQ((*journal)->TakeResults().size(), 2u);
  EXPECT_EQ((*journal)->losses().damaged_places, 1u);
}

// Waiting for the disk takes longer than most units do.
TEST_F(JournalTest, WaitsForTheDiskNowAndThenOnly) {
  JournalFile::Time now;
  const auto opened =
      JournalFile::Open(path_, "me", components_, event_numbers_, [&] { return now; });
  ASSERT_TRUE(opened.ok()) << opened.status();
  JournalFile& journal = **opened;
  const uint64_t before = journal.syncs();
  const size_t size_before = ReadAll(path_).size();
  for (uint64_t number = 0; number < 100; ++number) journal.Write(Sample(number, event_numbers_));
  EXPECT_EQ(journal.syncs(), before);
  EXPECT_GT(ReadAll(path_).size(), size_before) << "what a kill would leave";
  now += JournalFile::kSyncInterval;
  journal.Write(Sample(100, event_numbers_));
  EXPECT_EQ(journal.syncs(), before + 1) << "time";
  journal.Write(Sample(101, event_numbers_));
  EXPECT_EQ(journal.syncs(), before + 1);
  journal.Sync();
  journal.Sync();
  EXPECT_EQ(journal.syncs(), before + 2) << "the end";
}

TEST_F(JournalTest, WhatAPowerFailureCanCostIsLimited) {
  const auto opened = JournalFile::Open(path_, "me", components_, event_numbers_,
                                        [] { return JournalFile::Time(); });
  ASSERT_TRUE(opened.ok()) << opened.status();
  JournalFile& journal = **opened;
  UnitResult large = Sample(1, event_numbers_);
  while (EncodeResult(large, event_numbers_).size() < JournalFile::kSyncBytes / 4) {
    const auto traces = large.traces;
    large.traces.insert(large.traces.end(), traces.begin(), traces.end());
  }
  const uint64_t before = journal.syncs();
  for (int i = 0; i < 8; ++i) journal.Write(large);
  EXPECT_GE(journal.syncs(), before + 2);
  EXPECT_LT(journal.syncs(), before + 8);
}

TEST_F(JournalTest, AFullDiskIsSaidAndLeavesWhatWasWritten) {
  snapshot::FaultyFileSystem files;
  {
    const auto journal = OpenIn(files);
    (*journal)->Write(Sample(1, event_numbers_));
    files.set_room(snapshot::ReadWhole(files, kInMemory, SIZE_MAX)->size() + 8);
    (*journal)->Write(Sample(2, event_numbers_));
    (*journal)->Write(Sample(3, event_numbers_));
    EXPECT_TRUE(absl::IsResourceExhausted((*journal)->status())) << (*journal)->status();
  }
  const auto journal = OpenIn(files);
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_EQ((*journal)->TakeResults().size(), 1u);
}

TEST_F(JournalTest, KeepsWhatItPromisedWhateverHappens) {
  using Remains = snapshot::FaultyFileSystem::Remains;
  size_t written = 0;
  size_t synced = 0;
  const auto explore = [&](snapshot::FaultyFileSystem& files) {
    written = synced = 0;
    const auto journal = OpenIn(files);
    for (uint64_t number = 1; journal.ok() && number <= 4; ++number) {
      (*journal)->Write(Sample(number, event_numbers_));
      if ((*journal)->status().ok()) ++written;
      if (number == 2) (*journal)->Sync();
      if (number == 2 && (*journal)->status().ok()) synced = written;
    }
  };
  const auto expect = [&](snapshot::FaultyFileSystem& files, Remains remains) {
    auto journal = OpenIn(files);
    ASSERT_TRUE(journal.ok()) << journal.status();
    const auto results = (*journal)->TakeResults();
    EXPECT_GE(results.size(), remains == Remains::kEverything ? written : synced);
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i].environment, (Signature{1, i + 1}));
    }
    (*journal)->Write(Sample(results.size() + 1, event_numbers_));
    journal->reset();
    EXPECT_EQ((*OpenIn(files))->TakeResults().size(), results.size() + 1);
  };
  snapshot::ForEachFault(explore, expect);
}

TEST_F(JournalTest, BelongsToOneAtATime) {
  const auto journal = Open();
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ(Open().status().message(), path_ + ": is being written by another process");
}

TEST_F(JournalTest, RefusesWhatIsNotItsOwn) {
  ASSERT_TRUE(Open("paxos").ok());
  const auto other = Open("raft");
  EXPECT_EQ(other.status().message(), path_ + ": the journal of 'paxos', not of 'raft'");
  WriteAll(path_, "something else entirely, and long enough to be no beginning of ours");
  EXPECT_EQ(Open().status().message(), path_ + ": not a journal of engine dir");
  WriteAll(path_, "foretell dir journal 1\nas it was when messages had other names, long ago");
  EXPECT_EQ(Open().status().message(),
            path_ + ": a journal of version 1, this program writes version 5");
  WriteAll(path_, std::string("foretell dir journal 5\n") + std::string(100, '?'));
  EXPECT_EQ(Open().status().message(), path_ + ": damaged where it says what it is the journal of");
  EXPECT_FALSE(JournalFile::Open(TempFolder(), "me", components_, event_numbers_).ok());
}

}  // namespace
}  // namespace foretell::dir
