#include "foretell/agent/console/socket_access.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace foretell::agent {
namespace {

using testing::HasSubstr;

TEST(SocketAccessTest, AModeIsOctalAndKeepsTheOwnerIn) {
  EXPECT_EQ(ParseSocketMode("0660").value(), mode_t{0660});
  EXPECT_EQ(ParseSocketMode("600").value(), mode_t{0600});
  for (const char* wrong : {"", "66", "0070", "0770", "0680", "07660", "-660", "rw"}) {
    EXPECT_THAT(std::string(ParseSocketMode(wrong).status().message()),
                HasSubstr("is no mode of a socket"))
        << wrong;
  }
}

TEST(SocketAccessTest, FollowsWhatWasAskedFor) {
  std::string path = testing::TempDir() + "/accessXXXXXX";
  const int file = mkstemp(path.data());
  ASSERT_GE(file, 0);
  close(file);
  struct group* const own = getgrgid(getgid());
  ASSERT_NE(own, nullptr);
  const absl::Status given = GiveAccess(path, {.mode = 0660, .group = own->gr_name});
  ASSERT_TRUE(given.ok()) << given;
  struct stat now = {};
  ASSERT_EQ(stat(path.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777, mode_t{0660});
  EXPECT_EQ(now.st_gid, getgid());
  const absl::Status unknown = GiveAccess(path, {.mode = 0666, .group = "no-such-group"});
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("there is no group 'no-such-group'"));
  ASSERT_EQ(stat(path.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777, mode_t{0660}) << "nobody got in";
  std::filesystem::remove(path);
  EXPECT_FALSE(GiveAccess(path, {.mode = 0660}).ok());
}

}  // namespace
}  // namespace foretell::agent
