// What a writer's end, or a full disk, does to an archive.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/storage/file_system.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::snapshot {
namespace {

using ::testing::HasSubstr;

// Appends for ever from `number` on and says over `acknowledge` which records are safe.
[[noreturn]] void AppendForEver(const std::string& path, uint64_t number, int acknowledge) {
  auto writer = ArchiveWriter::Open(path, {.file_bytes_max = 20'000, .files_max = 1000});
  if (!writer.ok()) _exit(1);
  for (;; ++number) {
    if (!(*writer)->Append(SampleRecord(number, 200)).ok()) _exit(2);
    if (write(acknowledge, &number, sizeof number) != sizeof number) _exit(3);
  }
}

// Kills a writer after it has acknowledged `enough` records and `spins` more turns of a loop; the
// last record that it acknowledged.
uint64_t WriteAndKill(const std::string& path, uint64_t first, int enough, uint64_t spins) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) AppendForEver(path, first, ends[1]);
  close(ends[1]);
  uint64_t number = 0;
  uint64_t last = 0;
  for (int i = 0; i < enough && read(ends[0], &number, sizeof number) == sizeof number; ++i) {
    last = number;
  }
  for (volatile uint64_t i = 0; i < spins;) i = i + 1;
  kill(child, SIGKILL);
  while (read(ends[0], &number, sizeof number) == sizeof number) last = number;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself, status " << status;
  return last;
}

// All records of all files, by age, oldest first.
std::vector<uint64_t> AllNumbers(const std::string& path) {
  std::vector<uint64_t> numbers;
  const std::string stem = path.substr(0, path.size() - 4);
  for (int age = 1000; age >= 0; --age) {
    const std::string file = age == 0 ? path : stem + "." + std::to_string(age) + ".ftl";
    if (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0) continue;
    const auto reader = ArchiveReader::Open(file);
    EXPECT_TRUE(reader.ok()) << reader.status();
    if (!reader.ok()) continue;
    for (const ArchiveEntry& entry : (*reader)->entries()) {
      const auto record = (*reader)->Load(entry);
      EXPECT_TRUE(record.ok()) << record.status();
      if (record.ok()) ExpectSame(*record, SampleRecord(entry.number, 200));
      numbers.push_back(entry.number);
    }
  }
  return numbers;
}

TEST(ArchiveCrashTest, AcknowledgedRecordsSurviveAKill) {
  const TempFolder folder;
  const std::string path = folder.File("archive.ftl");
  std::mt19937_64 random(1);
  uint64_t first = 1;
  for (int i = 0; i < 40; ++i) {
    const uint64_t last =
        WriteAndKill(path, first, 1 + static_cast<int>(random() % 8), random() % 2'000'000);
    ASSERT_GE(last, first);
    { ASSERT_TRUE(ArchiveWriter::Open(path, {}).ok()) << "cuts off what is torn"; }
    const std::vector<uint64_t> numbers = AllNumbers(path);
    // The kill may have come between a record and its acknowledgement, once.
    ASSERT_TRUE(numbers.size() == last || numbers.size() == last + 1)
        << numbers.size() << " records, acknowledged " << last;
    for (size_t n = 0; n < numbers.size(); ++n) ASSERT_EQ(numbers[n], n + 1);
    first = numbers.size() + 1;
  }
}

// The rest of the process: a file size limit applies to all of it.
int AppendUntilFull(const std::string& path) {
  auto writer = ArchiveWriter::Open(path, {});
  if (!writer.ok()) return 1;
  const rlimit small{3000, 1 << 20};
  setrlimit(RLIMIT_FSIZE, &small);
  absl::Status status;
  uint64_t number = 0;
  while (status.ok() && number < 100) status = (*writer)->Append(SampleRecord(++number, 200));
  if (status.code() != absl::StatusCode::kResourceExhausted) return 2;
  const std::string message(status.message());
  if (message.find(path) == std::string::npos) return 3;
  if (message.find(std::to_string((*writer)->bytes())) == std::string::npos) return 4;
  if (std::filesystem::file_size(path) != (*writer)->bytes()) return 5;
  if ((*writer)->Append(SampleRecord(number, 200)).ok()) return 6;
  const rlimit large{1 << 20, 1 << 20};
  setrlimit(RLIMIT_FSIZE, &large);
  return (*writer)->Append(SampleRecord(number, 200)).ok() ? 0 : 7;
}

TEST(ArchiveCrashTest, FullDiskIsAnAnswerAndTheArchiveStaysWhole) {
  const TempFolder folder;
  const std::string path = folder.File("archive.ftl");
  const pid_t child = fork();
  if (child == 0) _exit(AppendUntilFull(path));
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const std::vector<uint64_t> numbers = AllNumbers(path);
  ASSERT_GT(numbers.size(), 2u);
  for (size_t n = 0; n < numbers.size(); ++n) EXPECT_EQ(numbers[n], n + 1);
  const auto reader = ArchiveReader::Open(path);
  EXPECT_THAT((*reader)->lost(), testing::IsEmpty());
}

TEST(ArchiveCrashTest, NoSpaceOnTheDeviceIsNamed) {
  auto full = Disk().Open("/dev/full", {Access::kWrite});
  ASSERT_TRUE(full.ok());
  const absl::Status status = (*full)->WriteAt(0, "anything");
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/dev/full: cannot write"));
}

TEST(ArchiveCrashTest, ADeadWritersLockIsFree) {
  const TempFolder folder;
  const std::string path = folder.File("archive.ftl");
  WriteAndKill(path, 1, 1, 0);
  EXPECT_TRUE(ArchiveWriter::Open(path, {}).ok());
}

}  // namespace
}  // namespace foretell::snapshot
