#include "foretell/snapshot/rpc/tls.h"

#include <cstdlib>

#include "foretell/snapshot/testing/certificates.h"
#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::AnyOf;
using testing::HasSubstr;

class RpcTlsTest : public testing::Test {
 protected:
  void SetUp() override { certificates_.MakeAuthority("ours"); }
  void Serve(const TlsFiles& tls) {
    server_ = StartServer(Loopback(), endpoint_, {}, tls, log_.Sink());
    ASSERT_NE(server_, nullptr);
  }
  absl::Status Ask(const TlsFiles& tls) {
    RpcClient::Options options;
    options.nodes = {{model::NodeId(0), server_->address()}};
    options.tls = tls;
    return StartClient(options)->Collect(1, kLong)[0].checkpoint.status();
  }
  TlsFiles Node() { return certificates_.Make("node", "ours", "127.0.0.1"); }
  TlsFiles Agent() { return certificates_.Make("agent", "ours", "agent"); }

  Certificates certificates_;
  Log log_;
  FakeEndpoint endpoint_{0};
  std::unique_ptr<RpcServer> server_;
};

TEST_F(RpcTlsTest, BothSidesShowCertificates) {
  Serve(Node());
  EXPECT_EQ(Ask(Agent()), absl::OkStatus());
}

TEST_F(RpcTlsTest, AClientWithoutTlsIsRefused) {
  Serve(Node());
  EXPECT_FALSE(Ask({}).ok());
  EXPECT_THAT(log_.Await("closed"), HasSubstr("SSL"));
  EXPECT_EQ(Ask(Agent()), absl::OkStatus());
}

TEST_F(RpcTlsTest, AClientOfAnotherAuthorityIsRefused) {
  Serve(Node());
  certificates_.MakeAuthority("theirs");
  TlsFiles stranger = certificates_.Make("stranger", "theirs", "agent");
  // It trusts the server, so that only the server can be the one that refuses.
  stranger.authority = certificates_.File("ours.pem");
  const absl::Status status = Ask(stranger);
  EXPECT_THAT(status.code(), AnyOf(StatusCode::kUnavailable, StatusCode::kUnauthenticated))
      << status;
  EXPECT_THAT(log_.Await("certificate"), HasSubstr("certificate verify failed"));
  EXPECT_EQ(endpoint_.filters().size(), 0u);
  EXPECT_EQ(Ask(Agent()), absl::OkStatus());
}

TEST_F(RpcTlsTest, AClientWithoutCertificateIsRefused) {
  Serve(Node());
  const std::string command =
      "openssl s_client -connect 127.0.0.1:" + std::to_string(server_->address().port) +
      " -CAfile '" + certificates_.File("ours.pem") +
      "' -verify_return_error -ign_eof </dev/null >/dev/null 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(log_.Await("certificate"), HasSubstr("peer did not return a certificate"));
}

TEST_F(RpcTlsTest, AServerOfAnotherAuthorityIsRefused) {
  certificates_.MakeAuthority("theirs");
  TlsFiles node = certificates_.Make("node", "theirs", "127.0.0.1");
  node.authority = certificates_.File("ours.pem");
  Serve(node);
  const absl::Status status = Ask(Agent());
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated) << status;
}

TEST_F(RpcTlsTest, AnExpiredServerIsRefused) {
  Serve(certificates_.Make("node", "ours", "127.0.0.1",
                           "-startdate 20200101000000Z -enddate 20200102000000Z"));
  const absl::Status status = Ask(Agent());
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("certificate verify failed"));
}

TEST_F(RpcTlsTest, AServerOfAnotherHostIsRefused) {
  Serve(certificates_.Make("node", "ours", "192.0.2.7"));
  const absl::Status status = Ask(Agent());
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated) << status;
}

TEST_F(RpcTlsTest, SeveralAuthoritiesInOneFile) {
  certificates_.MakeAuthority("theirs");
  const std::string both = certificates_.File("both.pem");
  const std::string cat = "cat '" + certificates_.File("theirs.pem") + "' '" +
                          certificates_.File("ours.pem") + "' >'" + both + "'";
  ASSERT_EQ(std::system(cat.c_str()), 0);
  TlsFiles node = Node();
  node.authority = both;
  Serve(node);
  EXPECT_EQ(Ask(Agent()), absl::OkStatus());
}

TEST_F(RpcTlsTest, BadFilesAreNamed) {
  const TlsFiles good = Node();
  TlsFiles missing = good;
  missing.key = certificates_.File("nowhere");
  EXPECT_THAT(LoadTls(Loopback(), missing).status().ToString(), HasSubstr(missing.key));
  TlsFiles wrong = good;
  wrong.authority = good.key;
  EXPECT_EQ(LoadTls(Loopback(), wrong).status().code(), StatusCode::kInvalidArgument);
  TlsFiles swapped = good;
  std::swap(swapped.key, swapped.certificate);
  EXPECT_EQ(LoadTls(Loopback(), swapped).status().code(), StatusCode::kInvalidArgument);
}

TEST(CheckSecurityTest, SaysWhatIsMissing) {
  Address address = Loopback();
  EXPECT_EQ(CheckSecurity(address, {}), absl::OkStatus());
  EXPECT_THAT(CheckSecurity(address, {.certificate = "c", .key = "k"}).ToString(),
              HasSubstr("authority"));
  for (const char* host : {"localhost", "127.1.2.3", "::1"}) {
    address.host = host;
    EXPECT_EQ(CheckSecurity(address, {}), absl::OkStatus()) << host;
  }
  for (const char* host : {"0.0.0.0", "::", "example.org", "10.0.0.1", "127.0.0.1.example.org"}) {
    address.host = host;
    EXPECT_EQ(CheckSecurity(address, {}).code(), StatusCode::kInvalidArgument) << host;
  }
}

}  // namespace
}  // namespace foretell::snapshot
