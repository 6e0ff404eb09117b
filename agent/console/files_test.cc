#include "foretell/agent/console/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::agent {
namespace {

class FilesTest : public testing::Test {
 protected:
  FilesTest() { std::filesystem::create_directory(folder_); }
  ~FilesTest() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("files_test." + std::to_string(getpid()));
  const std::string path_ = folder_ / "ready";
};

TEST_F(FilesTest, ReplacesAFileAndLeavesNothingBeside) {
  ASSERT_TRUE(WriteFileAtomically(path_, "one").ok());
  ASSERT_TRUE(WriteFileAtomically(path_, "two").ok());
  EXPECT_EQ(*ReadFile(path_), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FilesTest, WhatWasWrittenOutlivesAPowerFailure) {
  for (const auto remains : snapshot::FaultyFileSystem::kAllRemains) {
    snapshot::FaultyFileSystem files;
    ASSERT_TRUE(WriteFileAtomically("/d/ready", "whole", files).ok());
    files.Restart(remains);
    EXPECT_EQ(snapshot::ReadWhole(files, "/d/ready", 100).value_or("gone"), "whole");
  }
}

// In a container every life of a node has the same process number.
TEST_F(FilesTest, WritesOverWhatAnEarlierLifeHasLeftUnfinished) {
  for (uint64_t operation = 0; operation < 4; ++operation) {
    snapshot::FaultyFileSystem files;
    files.FailFrom(operation);
    ASSERT_FALSE(WriteFileAtomically("/d/ready", "unfinished, and longer", files).ok());
    files.Restart(snapshot::FaultyFileSystem::Remains::kEverything);
    ASSERT_TRUE(WriteFileAtomically("/d/ready", "whole", files).ok());
    EXPECT_EQ(*snapshot::ReadWhole(files, "/d/ready", 100), "whole");
  }
}

TEST_F(FilesTest, WritesIntoWhatCannotBeReplaced) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "anything").ok());
  EXPECT_EQ(WriteFileAtomically("/dev/full", "anything").message(),
            "/dev/full: cannot write: No space left on device");
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = *ReadFile(path_); });
  EXPECT_TRUE(WriteFileAtomically(path_, "through a pipe").ok());
  reader.join();
  EXPECT_EQ(read, "through a pipe");
}

TEST_F(FilesTest, SaysWhereItCannotWrite) {
  const absl::Status status = WriteFileAtomically(folder_ / "missing" / "ready", "x");
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.ToString().find("missing/ready"), std::string::npos) << status;
}

}  // namespace
}  // namespace foretell::agent
