#include "foretell/snapshot/archive/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::snapshot {
namespace {

using ::testing::HasSubstr;

class ArchiveTest : public testing::Test {
 protected:
  std::unique_ptr<ArchiveWriter> Writer(const ArchiveOptions& options = {}) {
    auto writer = ArchiveWriter::Open(path_, options);
    EXPECT_TRUE(writer.ok()) << writer.status();
    return writer.ok() ? *std::move(writer) : nullptr;
  }
  // Appends the samples `first` .. `last`; the offset at which each ends.
  std::vector<uint64_t> Fill(uint64_t first, uint64_t last, size_t bytes = 16) {
    const auto writer = Writer();
    std::vector<uint64_t> ends;
    for (uint64_t n = first; n <= last; ++n) {
      EXPECT_EQ(writer->Append(SampleRecord(n, bytes)), absl::OkStatus());
      ends.push_back(writer->bytes());
    }
    return ends;
  }
  // The numbers of the records that can be read, each compared with what was written.
  std::vector<uint64_t> Numbers(size_t bytes = 16) {
    std::vector<uint64_t> numbers;
    reader_ = nullptr;
    auto reader = ArchiveReader::Open(path_);
    if (!reader.ok()) {
      complaint_ = std::string(reader.status().message());
      return numbers;
    }
    reader_ = *std::move(reader);
    for (const ArchiveEntry& entry : reader_->entries()) {
      const auto record = reader_->Load(entry);
      EXPECT_TRUE(record.ok()) << record.status();
      if (!record.ok()) continue;
      ExpectSame(*record, SampleRecord(entry.number, bytes));
      numbers.push_back(entry.number);
    }
    return numbers;
  }
  std::string Refusal() {
    EXPECT_THAT(Numbers(), testing::IsEmpty());
    EXPECT_THAT(complaint_, HasSubstr(path_));
    return complaint_;
  }

  TempFolder folder_;
  const std::string path_ = folder_.File("archive.ftl");
  std::unique_ptr<ArchiveReader> reader_;
  std::string complaint_;
};

using testing::ElementsAre;

TEST_F(ArchiveTest, WhatWasAppendedIsRead) {
  Fill(1, 3);
  EXPECT_THAT(Numbers(), ElementsAre(1, 2, 3));
  Fill(4, 5);
  EXPECT_THAT(Numbers(), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(reader_->lost(), testing::IsEmpty());
}

TEST_F(ArchiveTest, EntriesTellWithoutUnpacking) {
  Fill(6, 6);
  Numbers();
  const ArchiveEntry& entry = reader_->entries()[0];
  EXPECT_EQ(entry.offset, 0u);
  EXPECT_EQ(entry.bytes, std::filesystem::file_size(path_));
  EXPECT_EQ(entry.taken, SampleRecord(6).taken);
  EXPECT_EQ(entry.origin, SampleOrigin());
  EXPECT_EQ(entry.nodes, 3u);
  EXPECT_THAT(entry.absent, ElementsAre(model::NodeId(2)));
  EXPECT_EQ(entry.in_flight, 2u);
  EXPECT_FALSE(entry.exact);
  EXPECT_THAT(entry.notes, ElementsAre("node 2: no answer"));
  EXPECT_EQ(entry.size, reader_->LoadMessage(entry)->size());
}

TEST_F(ArchiveTest, EqualCutsHaveEqualHashes) {
  const auto writer = Writer();
  RecordedSnapshot later = SampleRecord(1);
  later.snapshot.number = 2;
  for (const RecordedSnapshot& record : {SampleRecord(1), later, SampleRecord(3)}) {
    ASSERT_EQ(writer->Append(record), absl::OkStatus());
  }
  const auto reader = ArchiveReader::Open(path_);
  ASSERT_TRUE(reader.ok());
  const auto& entries = (*reader)->entries();
  EXPECT_EQ(entries[0].cut_hash, entries[1].cut_hash);
  EXPECT_NE(entries[0].cut_hash, entries[2].cut_hash);
}

// What a crash leaves of the last record is cut off, whatever its length.
TEST_F(ArchiveTest, RecoversFromEveryTruncationOfTheLastRecord) {
  const std::vector<uint64_t> ends = Fill(1, 3);
  const std::string whole = Contents(path_);
  for (uint64_t size = ends[1]; size < ends[2]; ++size) {
    WriteContents(path_, whole.substr(0, size));
    EXPECT_THAT(Numbers(), ElementsAre(1, 2)) << size;
    EXPECT_EQ(reader_->lost().size(), size == ends[1] ? 0u : 1u);
    const auto writer = Writer();
    ASSERT_EQ(writer->records(), 2u);
    ASSERT_EQ(writer->recovered().size(), size == ends[1] ? 0u : 1u);
    if (size > ends[1]) {
      EXPECT_TRUE(writer->recovered()[0].tail);
      EXPECT_EQ(writer->recovered()[0].offset, ends[1]);
      EXPECT_EQ(writer->recovered()[0].bytes, size - ends[1]);
    }
    ASSERT_EQ(writer->Append(SampleRecord(9)), absl::OkStatus());
    EXPECT_THAT(Numbers(), ElementsAre(1, 2, 9)) << size;
    EXPECT_THAT(reader_->lost(), testing::IsEmpty());
  }
}

TEST_F(ArchiveTest, RecoversFromEveryTruncationOfTheFirstRecord) {
  Fill(1, 1);
  const std::string whole = Contents(path_);
  for (uint64_t size = 0; size < whole.size(); ++size) {
    WriteContents(path_, whole.substr(0, size));
    EXPECT_THAT(Refusal(), HasSubstr(size == 0 ? "is empty" : "holds no whole record")) << size;
    const auto writer = Writer();
    ASSERT_NE(writer, nullptr) << size;
    EXPECT_EQ(writer->bytes(), 0u);
  }
}

TEST_F(ArchiveTest, ZerosThatAPowerCutLeavesAreCutOff) {
  const std::vector<uint64_t> ends = Fill(1, 2);
  WriteContents(path_, Contents(path_) + std::string(4096, '\0'));
  EXPECT_EQ(Writer()->recovered().at(0).bytes, 4096u);
  EXPECT_EQ(std::filesystem::file_size(path_), ends[1]);
  WriteContents(path_, std::string(4096, '\0'));
  EXPECT_EQ(Writer()->bytes(), 0u);
}

// Only the record that a flipped bit is in is lost.
TEST_F(ArchiveTest, BitFlipsCostOneRecord) {
  const std::vector<uint64_t> ends = Fill(1, 5);
  const std::string whole = Contents(path_);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t at = random() % whole.size();
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1 << random() % 8);
    WriteContents(path_, flipped);
    std::vector<uint64_t> expected;
    uint64_t begin = 0;
    Loss loss;
    for (uint64_t n = 1; n <= 5; ++n) {
      const uint64_t end = ends[n - 1];
      if (at < begin || at >= end) expected.push_back(n);
      if (at >= begin && at < end) loss = {begin, end - begin, "", n == 5};
      begin = end;
    }
    ASSERT_EQ(Numbers(), expected) << at;
    ASSERT_EQ(reader_->lost().size(), 1u);
    EXPECT_EQ(reader_->lost()[0].offset, loss.offset);
    EXPECT_EQ(reader_->lost()[0].bytes, loss.bytes);
    EXPECT_EQ(reader_->lost()[0].tail, loss.tail);
  }
}

TEST_F(ArchiveTest, WriterGoesOnBehindDamage) {
  const std::vector<uint64_t> ends = Fill(1, 4);
  std::string bytes = Contents(path_);
  bytes[ends[0] + 3] = '!';
  bytes.insert(ends[2], "what is this doing here");
  WriteContents(path_, bytes);
  const auto writer = Writer();
  ASSERT_EQ(writer->recovered().size(), 2u);
  EXPECT_FALSE(writer->recovered()[1].tail);
  EXPECT_EQ(writer->recovered()[1].bytes, 23u);
  ASSERT_EQ(writer->Append(SampleRecord(5)), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre(1, 3, 4, 5));
}

// Whatever the bytes are: an answer, in time.
TEST_F(ArchiveTest, SurvivesAnyBytes) {
  Fill(1, 4);
  const std::string whole = Contents(path_);
  std::mt19937_64 random(2);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    for (uint64_t n = 1 + random() % 6; n > 0; --n) {
      const size_t at = random() % bytes.size();
      const size_t length = std::min<size_t>(random() % 100, bytes.size() - at);
      switch (random() % 4) {
        case 0: bytes[at] = static_cast<char>(random()); break;
        case 1: bytes.erase(at, length); break;
        case 2: bytes.insert(at, bytes.substr(random() % bytes.size(), length)); break;
        default: bytes.replace(at, length, std::string(length, '\xff')); break;
      }
      if (bytes.empty()) break;
    }
    WriteContents(path_, bytes);
    const auto reader = ArchiveReader::Open(path_);
    if (!reader.ok()) continue;
    uint64_t known = 0;
    for (const ArchiveEntry& entry : (*reader)->entries()) {
      known += entry.bytes;
      (void)(*reader)->Load(entry);
    }
    for (const Loss& loss : (*reader)->lost()) known += loss.bytes;
    ASSERT_EQ(known, bytes.size()) << "a byte is neither record nor lost";
  }
}

// Headers that claim all that follows them, each with a checksum that does not fit.
TEST_F(ArchiveTest, MaliciousHeadersDoNotKeepTheReaderBusy) {
  std::string bytes;
  for (int i = 0; i < 40'000; ++i) {
    bytes += MakeFrame({}, "", std::string(200'000, 'x')).substr(0, kFrameHeaderBytes);
  }
  WriteContents(path_, bytes + std::string(500'000, 'y'));
  EXPECT_THAT(Refusal(), HasSubstr("holds no whole record"));
}

TEST_F(ArchiveTest, RefusesWhatIsNoArchive) {
  EXPECT_THAT(Refusal(), HasSubstr("No such file"));
  WriteContents(path_, "");
  EXPECT_THAT(Refusal(), HasSubstr("is empty"));
  const std::string foreign = "This is a letter to the editor.\n";
  WriteContents(path_, foreign);
  EXPECT_THAT(Refusal(), HasSubstr("not an archive of snapshots"));
  EXPECT_FALSE(ArchiveWriter::Open(path_, {}).ok());
  EXPECT_EQ(Contents(path_), foreign);
  WriteContents(path_, MakeFrame({.kind = FrameKind::kBundle}, "", "x"));
  EXPECT_THAT(Refusal(), HasSubstr("is a bundle"));
  EXPECT_FALSE(ArchiveWriter::Open(path_, {}).ok());
  const auto folder = ArchiveReader::Open(folder_.path());
  EXPECT_THAT(std::string(folder.status().message()), HasSubstr("is a directory"));
}

TEST_F(ArchiveTest, NeverTouchesALaterFormat) {
  Fill(1, 1);
  const std::string bytes = Contents(path_) + MakeFrame({.version = 2, .number = 2}, "", "new");
  WriteContents(path_, bytes);
  EXPECT_THAT(Refusal(), HasSubstr("format version 2, this build reads up to 1"));
  const auto writer = ArchiveWriter::Open(path_, {});
  EXPECT_THAT(std::string(writer.status().message()), HasSubstr("format version 2"));
  EXPECT_EQ(Contents(path_), bytes);
}

TEST_F(ArchiveTest, ReaderSeesAPrefixWhileAWriterAppends) {
  const auto writer = Writer();
  ASSERT_EQ(writer->Append(SampleRecord(1)), absl::OkStatus());
  const auto reader = ArchiveReader::Open(path_);
  ASSERT_TRUE(reader.ok());
  ASSERT_EQ(writer->Append(SampleRecord(2)), absl::OkStatus());
  EXPECT_EQ((*reader)->entries().size(), 1u);
  EXPECT_TRUE((*reader)->Load((*reader)->entries()[0]).ok());
  EXPECT_THAT(Numbers(), ElementsAre(1, 2));
}

TEST_F(ArchiveTest, OneWriterAtATime) {
  auto writer = Writer();
  const auto second = ArchiveWriter::Open(path_, {});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr(absl::StrCat(path_, ": is being written by process ", getpid())));
  writer = nullptr;
  EXPECT_NE(Writer(), nullptr);
}

TEST_F(ArchiveTest, RotatesAndForgetsTheOldest) {
  const auto one = Fill(1, 1)[0];
  {
    const auto writer = Writer({.file_bytes_max = 2 * one + 80, .files_max = 3});
    for (uint64_t n = 2; n <= 9; ++n) ASSERT_EQ(writer->Append(SampleRecord(n)), absl::OkStatus());
  }
  EXPECT_THAT(Numbers(), ElementsAre(9));
  const auto aged = [&](int age) {
    const auto reader = ArchiveReader::Open(folder_.File(absl::StrCat("archive.", age, ".ftl")));
    return reader.ok() ? (*reader)->entries().front().number : 0;
  };
  EXPECT_EQ(aged(1), 7u);
  EXPECT_EQ(aged(2), 5u);
  EXPECT_EQ(aged(3), 0u);
}

TEST_F(ArchiveTest, RotationFillsTheGapThatAKillLeft) {
  const auto one = Fill(1, 1)[0];
  std::filesystem::rename(path_, folder_.File("archive.2.ftl"));
  const auto writer = Writer({.file_bytes_max = one + 80, .files_max = 3});
  for (uint64_t n = 2; n <= 3; ++n) ASSERT_EQ(writer->Append(SampleRecord(n)), absl::OkStatus());
  EXPECT_TRUE(std::filesystem::exists(folder_.File("archive.1.ftl")));
  const auto oldest = ArchiveReader::Open(folder_.File("archive.2.ftl"));
  ASSERT_TRUE(oldest.ok());
  EXPECT_EQ((*oldest)->entries()[0].number, 1u);
}

TEST_F(ArchiveTest, ADirectoryInTheWayOfRotationCostsNothingThatWasWritten) {
  const auto one = Fill(1, 1)[0];
  const auto writer = Writer({.file_bytes_max = one + 80, .files_max = 2});
  std::filesystem::create_directory(folder_.File("archive.1.ftl"));
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = writer->Append(SampleRecord(2));
    EXPECT_THAT(std::string(status.message()), HasSubstr("archive.1.ftl"));
  }
  EXPECT_THAT(Numbers(), ElementsAre(1));
  std::filesystem::remove(folder_.File("archive.1.ftl"));
  EXPECT_EQ(writer->Append(SampleRecord(2)), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre(2));
}

// As if the first of its renames had worked and the second had not.
TEST_F(ArchiveTest, RotationGoesOnWhereAFailureStoppedIt) {
  const auto one = Fill(1, 1)[0];
  const auto writer = Writer({.file_bytes_max = one + 80, .files_max = 3});
  std::filesystem::rename(path_, folder_.File("archive.1.ftl"));
  EXPECT_EQ(writer->Append(SampleRecord(2)), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre(2));
  EXPECT_TRUE(ArchiveReader::Open(folder_.File("archive.1.ftl")).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.File("archive.2.ftl")));
}

TEST_F(ArchiveTest, OneFileIsReplaced) {
  const auto one = Fill(1, 1)[0];
  const auto writer = Writer({.file_bytes_max = one + 80, .files_max = 1});
  ASSERT_EQ(writer->Append(SampleRecord(2)), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre(2));
  EXPECT_FALSE(std::filesystem::exists(folder_.File("archive.1.ftl")));
}

TEST_F(ArchiveTest, RefusesARecordThatNoFileCanHold) {
  const auto writer = Writer({.file_bytes_max = 500});
  const absl::Status status = writer->Append(SampleRecord(1, 1000));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("at most 500"));
  EXPECT_EQ(writer->Append(SampleRecord(2, 1)), absl::OkStatus());
}

TEST_F(ArchiveTest, IndexIsUsedAndRebuilt) {
  constexpr size_t kBytes = 100'000;
  Fill(1, 5, kBytes);
  EXPECT_THAT(Numbers(kBytes), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_FALSE(reader_->from_index());
  const ArchiveEntry scanned = reader_->entries()[2];
  EXPECT_THAT(Numbers(kBytes), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_TRUE(reader_->from_index());
  const ArchiveEntry& indexed = reader_->entries()[2];
  EXPECT_EQ(indexed.offset, scanned.offset);
  EXPECT_EQ(indexed.taken, scanned.taken);
  EXPECT_EQ(indexed.cut_hash, scanned.cut_hash);
  EXPECT_EQ(indexed.origin, scanned.origin);
  EXPECT_EQ(indexed.notes, scanned.notes);
  EXPECT_EQ(indexed.absent, scanned.absent);
  Fill(6, 6, kBytes);
  EXPECT_THAT(Numbers(kBytes), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_FALSE(reader_->from_index()) << "the index was of a shorter archive";
  const std::string index = path_ + ".idx";
  std::string bytes = Contents(index);
  bytes[bytes.size() / 2] ^= 1;
  WriteContents(index, bytes);
  EXPECT_THAT(Numbers(kBytes), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_FALSE(reader_->from_index()) << "the index was damaged";
  std::filesystem::remove(index);
  EXPECT_THAT(Numbers(kBytes), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(std::filesystem::exists(index));
}

TEST_F(ArchiveTest, DamageAfterIndexingIsFoundOnLoading) {
  Fill(1, 4, 100'000);
  Numbers(100'000);
  const auto changed = std::filesystem::last_write_time(path_);
  std::string bytes = Contents(path_);
  bytes[200] ^= 1;
  WriteContents(path_, bytes);
  std::filesystem::last_write_time(path_, changed);
  const auto reader = ArchiveReader::Open(path_);
  ASSERT_TRUE(reader.ok());
  ASSERT_TRUE((*reader)->from_index());
  const auto record = (*reader)->Load((*reader)->entries()[0]);
  EXPECT_EQ(record.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(record.status().message()), HasSubstr("the record at byte 0"));
}

}  // namespace
}  // namespace foretell::snapshot
