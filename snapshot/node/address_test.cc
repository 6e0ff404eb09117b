#include "foretell/snapshot/node/address.h"

#include <gtest/gtest.h>

namespace foretell::snapshot {
namespace {

TEST(AddressTest, ReadsAndWrites) {
  EXPECT_EQ(ParseAddress("unix:/run/foretell/node0.sock").value(),
            (Address{.path = "/run/foretell/node0.sock"}));
  EXPECT_EQ(ParseAddress("tcp:node-1.example:7000").value(),
            (Address{.tcp = true, .host = "node-1.example", .port = 7000}));
  EXPECT_EQ(ParseAddress("tcp:[::1]:0").value(), (Address{.tcp = true, .host = "::1"}));
  for (const std::string text :
       {"unix:a:b", "unix:relative.sock", "tcp:127.0.0.1:65535", "tcp:[fe80::1%eth0]:1"}) {
    EXPECT_EQ(ToString(ParseAddress(text).value()), text);
  }
}

TEST(AddressTest, RefusesAndSaysWhat) {
  for (const std::string text : {"",
                                 "unix",
                                 "unix:",
                                 "udp:a:1",
                                 "tcp:",
                                 "tcp:host",
                                 "tcp:host:",
                                 "tcp::7000",
                                 "tcp:h:65536",
                                 "tcp:h:-1",
                                 "tcp:h:+1",
                                 "tcp:h: 1",
                                 "tcp:h:07",
                                 "tcp:h:99999999999",
                                 "tcp:::1:7000",
                                 "tcp:[]:1",
                                 "tcp:[::1]",
                                 "tcp:[localhost]:1",
                                 "tcp:a b:1",
                                 "/run/a.sock"}) {
    const absl::Status status = ParseAddress(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_NE(status.message().find("\"" + text + "\""), status.message().npos) << status;
  }
}

TEST(AddressTest, PathsHaveALimit) {
  EXPECT_TRUE(ParseAddress("unix:" + std::string(kSocketPathMax, 'p')).ok());
  EXPECT_FALSE(ParseAddress("unix:" + std::string(kSocketPathMax + 1, 'p')).ok());
  EXPECT_FALSE(ParseAddress("unix:" + std::string("a\0b", 3)).ok());
}

}  // namespace
}  // namespace foretell::snapshot
