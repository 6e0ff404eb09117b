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

TEST(HostPortTest, ReadsAndWrites) {
  EXPECT_EQ(ParseHostPort("node-1.example:7000").value(), (HostPort{"node-1.example", 7000}));
  EXPECT_EQ(ParseHostPort("[fe80::1%eth0]:0").value(), (HostPort{"fe80::1%eth0", 0}));
  for (const std::string text : {"127.0.0.1:65535", "[::1]:1", "localhost:7000"}) {
    EXPECT_EQ(ToString(ParseHostPort(text).value()), text);
  }
}

TEST(HostPortTest, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) {
    return std::string(ParseHostPort(text).status().message());
  };
  const std::string host = "a host name, an IPv4 address or an IPv6 address in brackets, got ";
  EXPECT_EQ(message("host"), "address \"host\": expected HOST:PORT");
  EXPECT_EQ(message(""), "address \"\": expected HOST:PORT");
  EXPECT_EQ(message("h:"), "address \"h:\": expected a port from 0 to 65535, got \"\"");
  EXPECT_EQ(message("h:65536"),
            "address \"h:65536\": expected a port from 0 to 65535, got \"65536\"");
  EXPECT_EQ(message("h:80x"), "address \"h:80x\": expected a port from 0 to 65535, got \"80x\"");
  EXPECT_EQ(message("::1:80"), "address \"::1:80\": expected " + host + "\"::1\"");
  EXPECT_EQ(message("[::1:80"), "address \"[::1:80\": expected " + host + "\"[::1\"");
  EXPECT_EQ(message(":80"), "address \":80\": expected " + host + "\"\"");
  EXPECT_EQ(ParseAddress("tcp:h").status().message(), "address \"tcp:h\": expected tcp:HOST:PORT");
}

TEST(AddressTest, PathsHaveALimit) {
  EXPECT_TRUE(ParseAddress("unix:" + std::string(kSocketPathMax, 'p')).ok());
  EXPECT_FALSE(ParseAddress("unix:" + std::string(kSocketPathMax + 1, 'p')).ok());
  EXPECT_FALSE(ParseAddress("unix:" + std::string("a\0b", 3)).ok());
}

}  // namespace
}  // namespace foretell::snapshot
