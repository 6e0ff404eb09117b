#include "foretell/snapshot/storage/line_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/rotation.h"
#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::snapshot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

std::string ContentOf(const std::string& path, FileSystem& files = Disk()) {
  return ReadWhole(files, path, 10'000).value_or("");
}

std::string TempFolder() {
  std::string pattern = testing::TempDir() + "/lines-XXXXXX";
  return mkdtemp(pattern.data());
}

TEST(LineFileTest, HasACapAndKeepsSomeOldFiles) {
  FaultyFileSystem files;
  const LineFile::Options options{.path = "/d/lines.jsonl", .size_max = 10, .files_max = 3};
  for (const char* line : {"a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "d1"}) {
    // Another process goes on where the last one stopped.
    const auto file = LineFile::Open(options, files);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE((*file)->Append(line).ok());
  }
  EXPECT_EQ(ContentOf("/d/lines.jsonl", files), "d1\n");
  EXPECT_EQ(ContentOf("/d/lines.1.jsonl", files), "c1\nc2\nc3\n");
  EXPECT_EQ(ContentOf("/d/lines.2.jsonl", files), "b1\nb2\nb3\n");
  EXPECT_EQ(files.LookAt("/d/lines.3.jsonl").kind, FileKind::kMissing);
}

TEST(LineFileTest, GrowsOnIfItCannotBeSetAside) {
  const std::string folder = TempFolder();
  const std::string path = folder + "/lines";
  std::filesystem::create_directories(folder + "/lines.1/in the way");
  const auto file = LineFile::Open({.path = path, .size_max = 4, .files_max = 2});
  ASSERT_TRUE(file.ok()) << file.status();
  for (const char* line : {"a", "b", "c", "d"}) EXPECT_TRUE((*file)->Append(line).ok());
  EXPECT_EQ(ContentOf(path), "a\nb\nc\nd\n");
  std::filesystem::remove_all(folder + "/lines.1");
  EXPECT_TRUE((*file)->Append("e").ok());
  EXPECT_EQ(ContentOf(path), "e\n");
  std::filesystem::remove_all(folder);
}

TEST(LineFileTest, LinksAreNotRenamed) {
  const std::string folder = TempFolder();
  std::filesystem::create_symlink(folder + "/real", folder + "/lines");
  const auto file = LineFile::Open({.path = folder + "/lines", .size_max = 2});
  ASSERT_TRUE(file.ok()) << file.status();
  for (const char* line : {"a", "b"}) EXPECT_TRUE((*file)->Append(line).ok());
  EXPECT_EQ(ContentOf(folder + "/real"), "a\nb\n");
  std::filesystem::remove_all(folder);
}

TEST(LineFileTest, WhatAFullDiskHasLeftOfALineStaysALineOfItsOwn) {
  FaultyFileSystem files;
  const auto file = LineFile::Open({.path = "/d/lines"}, files);
  files.set_room(10);
  const absl::Status torn = (*file)->Append("more than ten bytes");
  EXPECT_TRUE(absl::IsResourceExhausted(torn));
  EXPECT_THAT(std::string(torn.message()), HasSubstr("/d/lines: took 10 of 20 bytes"));
  files.set_room(100);
  ASSERT_TRUE((*file)->Append("whole").ok());
  EXPECT_EQ(ContentOf("/d/lines", files), "more than \nwhole\n");
}

// All whole lines of all files; what is torn is no line that was written.
std::multiset<std::string> AllLines(FileSystem& files) {
  std::multiset<std::string> lines;
  for (uint32_t age = 0; age < 20; ++age) {
    std::istringstream text(ContentOf(age == 0 ? "/d/lines" : AgedPath("/d/lines", age), files));
    for (std::string line; std::getline(text, line);) lines.insert(line);
  }
  return lines;
}

TEST(LineFileTest, KeepsEveryLineThatWasSyncedWhateverHappens) {
  const LineFile::Options options{
      .path = "/d/lines", .size_max = 20, .files_max = 20, .sync = true};
  std::multiset<std::string> acknowledged;
  ForEachFault(
      [&](FaultyFileSystem& files) {
        acknowledged.clear();
        const auto file = LineFile::Open(options, files);
        for (int i = 0; file.ok() && i < 9; ++i) {
          const std::string line = "line " + std::to_string(i);
          if ((*file)->Append(line).ok()) acknowledged.insert(line);
        }
      },
      [&](FileSystem& files, auto) {
        const auto file = LineFile::Open(options, files);
        ASSERT_TRUE(file.ok()) << file.status();
        ASSERT_TRUE((*file)->Append("after").ok());
        acknowledged.insert("after");
        EXPECT_THAT(AllLines(files), IsSupersetOf(acknowledged));
      });
}

}  // namespace
}  // namespace foretell::snapshot
