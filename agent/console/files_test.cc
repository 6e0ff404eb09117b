#include "foretell/agent/console/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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

// In a container every life of a node has the same process number.
TEST_F(FilesTest, WritesOverWhatAnEarlierLifeHasLeftUnfinished) {
  std::ofstream(path_ + "." + std::to_string(getpid()) + ".tmp") << "unfinished, and longer";
  ASSERT_TRUE(WriteFileAtomically(path_, "whole").ok());
  EXPECT_EQ(*ReadFile(path_), "whole");
}

TEST_F(FilesTest, SaysWhereItCannotWrite) {
  const absl::Status status = WriteFileAtomically(folder_ / "missing" / "ready", "x");
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.ToString().find("missing/ready"), std::string::npos) << status;
}

}  // namespace
}  // namespace foretell::agent
