#include "foretell/integration/sdk/net/tcp_link.h"

#include <gtest/gtest.h>

#include <array>
#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

namespace foretell::integration::sdk {
namespace {

using asio::ip::tcp;

// Somebody to connect to, and a link that is connected: its probe waits for the connection's end.
class TcpLinkTest : public testing::Test {
 protected:
  TcpLinkTest() {
    link_->queue() += "hello";
    link_->Flush();
    acceptor_.async_accept(peer_, [this](const asio::error_code& error) {
      ASSERT_FALSE(error) << error.message();
      peer_.async_read_some(asio::buffer(heard_),
                            [this](const asio::error_code&, size_t bytes) { bytes_ = bytes; });
    });
    while (bytes_ == 0) loop_.run_one();
  }

  asio::io_context loop_;
  tcp::acceptor acceptor_{loop_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  tcp::socket peer_{loop_};
  std::array<char, 16> heard_ = {};
  size_t bytes_ = 0;
  int lost_ = 0;
  std::unique_ptr<TcpLink> link_ =
      TcpLink::Make(loop_, {"127.0.0.1", acceptor_.local_endpoint().port()}, [this] { ++lost_; });
};

TEST_F(TcpLinkTest, SaysWhenTheConnectionBreaks) {
  peer_.close();
  while (lost_ == 0) loop_.run_one();
  EXPECT_EQ(link_->queued_bytes(), 0u);
}

// What is still to be called when a link goes finds nothing of it.
TEST_F(TcpLinkTest, MayGoWhileItsConnectionIsUp) {
  link_.reset();
  loop_.run();
  EXPECT_EQ(lost_, 0);
}

TEST_F(TcpLinkTest, MayGoWhileItConnects) {
  // Nobody listens there: it tries again and again.
  const uint16_t port = acceptor_.local_endpoint().port();
  acceptor_.close();
  link_ = TcpLink::Make(loop_, {"127.0.0.1", port}, [this] { ++lost_; });
  link_->queue() += "hello";
  link_->Flush();
  loop_.run_one();
  link_.reset();
  loop_.run();
  EXPECT_EQ(lost_, 0);
}

}  // namespace
}  // namespace foretell::integration::sdk
