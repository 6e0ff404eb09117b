#include "foretell/snapshot/storage/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::snapshot {
namespace {

TEST(ReplaceFileTest, LeavesTheOldContentOrTheNewWhateverHappens) {
  std::string acknowledged;
  ForEachFault(
      [&](FaultyFileSystem& files) {
        acknowledged = "";
        for (const std::string content : {"old content", "new"}) {
          if (ReplaceFile(files, "/d/file", content).ok()) acknowledged = content;
        }
      },
      [&](FileSystem& files, auto) {
        const auto content = ReadWhole(files, "/d/file", 100);
        if (content.ok() && acknowledged != "new") {
          EXPECT_THAT(*content, testing::AnyOf("old content", "new"));
        } else if (acknowledged.empty()) {
          EXPECT_TRUE(absl::IsNotFound(content.status())) << content.status();
        } else {
          EXPECT_EQ(content.value_or("nothing"), acknowledged);
        }
      });
}

TEST(ReplaceFileTest, NamesTheFileThatWasAskedFor) {
  FaultyFileSystem files;
  files.set_room(3);
  const absl::Status full = ReplaceFile(files, "/d/file", "too long");
  EXPECT_TRUE(absl::IsResourceExhausted(full));
  EXPECT_EQ(full.message(), "/d/file: cannot write: No space left on device");
  EXPECT_TRUE(ReplaceFile(files, "/d/file", "abc").ok()) << "no scratch file takes up room";
  EXPECT_EQ(ReplaceFile(files, "/none/file", "").message(),
            "/none/file: cannot open: No such file or directory");
}

TEST(ReadWholeTest, HasALimit) {
  FaultyFileSystem files;
  ASSERT_TRUE(ReplaceFile(files, "/d/file", "12345").ok());
  EXPECT_EQ(*ReadWhole(files, "/d/file", 5), "12345");
  EXPECT_EQ(ReadWhole(files, "/d/file", 4).status().message(), "/d/file: larger than 4 bytes");
}

TEST(OpenRegularTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(OpenRegular(Disk(), "/", {Access::kRead}).status().message(), "/: is a directory");
  EXPECT_EQ(OpenRegular(Disk(), "/dev/null", {Access::kRead}).status().message(),
            "/dev/null: is not a regular file");
}

}  // namespace
}  // namespace foretell::snapshot
