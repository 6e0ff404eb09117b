// Disks that fail, fill up or lose power, beneath an archive.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/storage/rotation.h"
#include "foretell/snapshot/storage/testing/faulty_file_system.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::snapshot {
namespace {

using ::testing::IsEmpty;

constexpr char kPath[] = "/d/archive.ftl";
// Two or three records a file.
constexpr ArchiveOptions kOptions{.file_bytes_max = 3000, .files_max = 100};

RecordedSnapshot Record(uint64_t number) { return SampleRecord(number, 200); }

// All records of all files, oldest first.
std::vector<uint64_t> AllNumbers(FileSystem& files) {
  std::vector<uint64_t> numbers;
  for (uint32_t age = 20; age-- > 0;) {
    const auto reader = ArchiveReader::Open(age == 0 ? kPath : AgedPath(kPath, age), files);
    if (!reader.ok()) continue;
    for (const ArchiveEntry& entry : (*reader)->entries()) {
      const auto record = (*reader)->Load(entry);
      EXPECT_TRUE(record.ok()) << record.status();
      if (record.ok()) ExpectSame(*record, Record(entry.number));
      numbers.push_back(entry.number);
    }
  }
  return numbers;
}

TEST(ArchiveFaultTest, WhatWasAcknowledgedStaysWhateverHappens) {
  std::vector<uint64_t> acknowledged;
  ForEachFault(
      [&](FaultyFileSystem& files) {
        acknowledged.clear();
        const auto writer = ArchiveWriter::Open(kPath, kOptions, files);
        for (uint64_t number = 1; writer.ok() && number <= 6; ++number) {
          if ((*writer)->Append(Record(number)).ok()) acknowledged.push_back(number);
        }
      },
      [&](FileSystem& files, auto) {
        {
          const auto writer = ArchiveWriter::Open(kPath, kOptions, files);
          ASSERT_TRUE(writer.ok()) << writer.status();
          ASSERT_TRUE((*writer)->Append(Record(99)).ok());
          acknowledged.push_back(99);
        }
        // One that failed may be there all the same, once and in its place.
        const std::vector<uint64_t> numbers = AllNumbers(files);
        EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end(), std::less_equal<>()))
            << testing::PrintToString(numbers);
        EXPECT_TRUE(
            std::includes(numbers.begin(), numbers.end(), acknowledged.begin(), acknowledged.end()))
            << testing::PrintToString(numbers) << " of " << testing::PrintToString(acknowledged);
      });
}

TEST(ArchiveFaultTest, AFailureThatIsOverIsForgotten) {
  FaultyFileSystem whole;
  const auto append = [](FaultyFileSystem& files) {
    const auto writer = ArchiveWriter::Open(kPath, kOptions, files);
    std::vector<uint64_t> numbers;
    for (uint64_t number = 1; writer.ok() && number <= 6; ++number) {
      // Tried again, as a caller may.
      if ((*writer)->Append(Record(number)).ok() || (*writer)->Append(Record(number)).ok()) {
        numbers.push_back(number);
      }
    }
    return numbers;
  };
  const std::vector<uint64_t> all = append(whole);
  ASSERT_EQ(all.size(), 6u);
  for (uint64_t operation = 0; operation < whole.operations(); ++operation) {
    FaultyFileSystem files;
    files.FailAt(operation);
    const std::vector<uint64_t> numbers = append(files);
    if (numbers.empty()) continue;  // Could not be opened.
    EXPECT_EQ(numbers, all) << operation;
    EXPECT_EQ(AllNumbers(files), all) << operation;
  }
}

TEST(ArchiveFaultTest, AFullDiskIsAnAnswerAndTheArchiveStaysWhole) {
  FaultyFileSystem files;
  const auto writer = ArchiveWriter::Open(kPath, {}, files);
  files.set_room(3000);
  absl::Status status;
  uint64_t number = 0;
  while (status.ok()) status = (*writer)->Append(Record(++number));
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ((*ArchiveReader::Open(kPath, files))->entries().size(), number - 1);
  EXPECT_THAT((*ArchiveReader::Open(kPath, files))->lost(), IsEmpty());
  EXPECT_FALSE((*writer)->Append(Record(number)).ok());
  files.set_room(30'000);
  EXPECT_TRUE((*writer)->Append(Record(number)).ok());
  EXPECT_EQ(AllNumbers(files).size(), number);
}

TEST(BundleFaultTest, IsThereAsAWholeOrNotAtAll) {
  Bundle bundle;
  bundle.recorded = Record(1);
  bundle.imagined = bundle.recorded.snapshot.cut;
  bundle.invariant = "one_holder";
  bool written = false;
  ForEachFault(
      [&](FaultyFileSystem& files) { written = WriteBundle("/d/1.bundle", bundle, files).ok(); },
      [&](FileSystem& files, auto) {
        const auto read = ReadBundle("/d/1.bundle", files);
        if (read.ok()) {
          EXPECT_EQ(read->invariant, "one_holder");
        }
        EXPECT_TRUE(read.ok() || (!written && absl::IsNotFound(read.status()))) << read.status();
      });
}

}  // namespace
}  // namespace foretell::snapshot
