#include "foretell/snapshot/storage/file_system.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::snapshot {
namespace {

// The file system of tests must not promise more, or less, than a real one.
class FileSystemTest : public testing::TestWithParam<bool> {
 protected:
  FileSystemTest() {
    if (!GetParam()) return;
    std::string pattern = testing::TempDir() + "/files-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~FileSystemTest() override {
    if (GetParam()) std::filesystem::remove_all(folder_);
  }
  std::unique_ptr<File> Open(const std::string& name, Access access) {
    auto file = files().Open(Path(name), {access});
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? *std::move(file) : nullptr;
  }
  std::string Read(const std::string& name) { return *Open(name, Access::kRead)->ReadAt(0, 1000); }
  void Write(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(Open(name, Access::kFresh)->WriteAt(0, bytes).ok());
  }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  FileSystem& files() { return GetParam() ? Disk() : memory_; }

  FaultyFileSystem memory_;
  std::string folder_ = "/d";
};
INSTANTIATE_TEST_SUITE_P(Both, FileSystemTest, testing::Values(true, false),
                         [](const auto& kind) { return kind.param ? "Disk" : "Faulty"; });

TEST_P(FileSystemTest, OpensAsAsked) {
  for (const Access access : {Access::kRead, Access::kStream, Access::kWrite}) {
    const absl::Status missing = files().Open(Path("none"), {access}).status();
    EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
    EXPECT_EQ(missing.message(), Path("none") + ": cannot open: No such file or directory");
  }
  for (const Access access : {Access::kModify, Access::kFresh, Access::kAppend}) {
    EXPECT_TRUE(absl::IsNotFound(files().Open(Path("no/file"), {access}).status()));
    EXPECT_TRUE(Open("made", access) != nullptr);
    EXPECT_TRUE(files().Remove(Path("made")).ok());
  }
  Write("file", "content");
  EXPECT_EQ(*Open("file", Access::kModify)->ReadAt(0, 100), "content");
  EXPECT_EQ(*Open("file", Access::kFresh)->ReadAt(0, 100), "");
}

TEST_P(FileSystemTest, ReadsAndWrites) {
  const auto file = Open("file", Access::kModify);
  ASSERT_TRUE(file->WriteAt(0, "0123456789").ok());
  ASSERT_TRUE(file->WriteAt(8, "abc").ok());
  ASSERT_TRUE(file->WriteAt(12, "z").ok());
  EXPECT_EQ(*file->ReadAt(6, 100), std::string("67abc\0z", 7));
  EXPECT_EQ(*file->ReadAt(2, 3), "234");
  EXPECT_EQ(*file->ReadAt(50, 3), "");
  ASSERT_TRUE(file->Truncate(4).ok());
  EXPECT_EQ(file->Stat()->size, 4u);
  EXPECT_EQ(file->Stat()->kind, FileKind::kRegular);
  EXPECT_EQ(*Open("file", Access::kAppend)->Append("xy"), 2u);
  const auto stream = Open("file", Access::kStream);
  EXPECT_EQ(*stream->ReadNext(4), "0123");
  EXPECT_EQ(*stream->ReadNext(4), "xy");
  EXPECT_EQ(*stream->ReadNext(4), "");
}

TEST_P(FileSystemTest, RenamesAndRemoves) {
  Write("a", "one");
  Write("b", "two");
  const auto open = Open("b", Access::kRead);
  ASSERT_TRUE(files().Rename(Path("a"), Path("b")).ok());
  EXPECT_EQ(Read("b"), "one");
  EXPECT_EQ(*open->ReadAt(0, 10), "two") << "whoever has it open keeps it";
  EXPECT_TRUE(absl::IsNotFound(files().Rename(Path("a"), Path("b"))));
  EXPECT_TRUE(files().Remove(Path("b")).ok());
  EXPECT_TRUE(absl::IsNotFound(files().Remove(Path("b"))));
}

TEST_P(FileSystemTest, HasDirectories) {
  ASSERT_TRUE(files().MakeDirectory(Path("sub"), 0700).ok());
  ASSERT_TRUE(files().MakeDirectory(Path("sub"), 0700).ok());
  EXPECT_TRUE(absl::IsNotFound(files().MakeDirectory(Path("no/sub"), 0700)));
  Write("sub/file", "x");
  EXPECT_TRUE(files().SyncDirectory(Path("sub")).ok());
  EXPECT_TRUE(absl::IsNotFound(files().SyncDirectory(Path("none"))));
  EXPECT_EQ(files().LookAt(Path("sub")).kind, FileKind::kDirectory);
  EXPECT_EQ(files().LookAt(Path("sub/file")).kind, FileKind::kRegular);
  EXPECT_EQ(files().LookAt(Path("none")).kind, FileKind::kMissing);
}

TEST_P(FileSystemTest, LocksEndWithTheFile) {
  auto first = Open("file", Access::kModify);
  const auto second = Open("file", Access::kModify);
  EXPECT_TRUE(first->TryLock().ok());
  EXPECT_TRUE(first->TryLock().ok());
  EXPECT_EQ(second->TryLock().message(), Path("file") + ": is being written by another process");
  first = nullptr;
  EXPECT_TRUE(second->TryLock().ok());
}

TEST(DiskTest, LooksThroughLinks) {
  std::string pattern = testing::TempDir() + "/links-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  std::filesystem::create_symlink("/dev/null", folder + "/link");
  std::filesystem::create_symlink(folder + "/nothing", folder + "/dangling");
  EXPECT_EQ(Disk().LookAt(folder + "/link").kind, FileKind::kOther);
  EXPECT_TRUE(Disk().LookAt(folder + "/link").link);
  EXPECT_EQ(Disk().LookAt(folder + "/dangling").kind, FileKind::kMissing);
  EXPECT_FALSE(Disk().LookAt(folder).link);
  EXPECT_FALSE(Disk().Open(folder + "/dangling", {Access::kFresh}).ok());
  std::filesystem::remove_all(folder);
}

using Remains = FaultyFileSystem::Remains;

// Content of "/d/file" after "old" was synced with its name, and "old, new" was not.
std::string Left(Remains remains, bool synced) {
  FaultyFileSystem files;
  {
    const auto file = *files.Open("/d/file", {Access::kModify});
    EXPECT_TRUE(file->WriteAt(0, "old").ok());
    if (synced) {
      EXPECT_TRUE(file->Sync().ok() && files.SyncDirectory("/d").ok());
    }
    EXPECT_TRUE(file->WriteAt(3, ", new").ok());
  }
  files.Restart(remains);
  const auto file = files.Open("/d/file", {Access::kRead});
  return file.ok() ? *(*file)->ReadAt(0, 100) : "gone";
}

TEST(FaultyFileSystemTest, LosesWhatWasNotSynced) {
  EXPECT_EQ(Left(Remains::kEverything, false), "old, new");
  EXPECT_EQ(Left(Remains::kSynced, false), "gone");
  EXPECT_EQ(Left(Remains::kNames, false), "");
  EXPECT_EQ(Left(Remains::kTorn, false), std::string("old,\0\0\0\0", 8));
  EXPECT_EQ(Left(Remains::kEverything, true), "old, new");
  EXPECT_EQ(Left(Remains::kSynced, true), "old");
  EXPECT_EQ(Left(Remains::kNames, true), "old");
  EXPECT_EQ(Left(Remains::kTorn, true), std::string("old, \0\0\0", 8));
}

TEST(FaultyFileSystemTest, ANewDirectoryIsLostWithAllThatIsInIt) {
  FaultyFileSystem files;
  ASSERT_TRUE(files.MakeDirectory("/d/sub", 0700).ok());
  ASSERT_TRUE((*files.Open("/d/sub/file", {Access::kModify}))->Sync().ok());
  ASSERT_TRUE(files.SyncDirectory("/d/sub").ok());
  files.Restart(Remains::kSynced);
  EXPECT_EQ(files.LookAt("/d/sub/file").kind, FileKind::kMissing);
}

TEST(FaultyFileSystemTest, FillsUpAndFails) {
  FaultyFileSystem files;
  const auto file = *files.Open("/d/file", {Access::kModify});
  files.set_room(6);
  EXPECT_TRUE(absl::IsResourceExhausted(file->WriteAt(0, "12345678")));
  EXPECT_EQ(*file->ReadAt(0, 100), "123456");
  EXPECT_TRUE(file->WriteAt(0, "abc").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(file->Append("x").status()));
  ASSERT_TRUE(file->Truncate(0).ok());
  files.FailAt(files.operations());
  EXPECT_TRUE(absl::IsUnavailable(file->WriteAt(0, "1234")));
  EXPECT_EQ(*file->ReadAt(0, 100), "12");
  files.FailFrom(files.operations());
  EXPECT_FALSE(file->Sync().ok());
  EXPECT_FALSE(file->Sync().ok());
}

}  // namespace
}  // namespace foretell::snapshot
