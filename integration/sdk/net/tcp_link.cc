#include "foretell/integration/sdk/net/tcp_link.h"

#include <algorithm>
#include <array>
#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <utility>

namespace foretell::integration::sdk {
namespace {

using asio::ip::tcp;
using std::chrono::milliseconds;

constexpr milliseconds kPauseMin{10};
constexpr milliseconds kPauseMax{1000};

class Link final : public TcpLink {
 public:
  Link(asio::io_context& loop, const HostPort& peer, std::function<void()> lost)
      : peer_(asio::ip::make_address(peer.host), peer.port),
        socket_(loop),
        timer_(loop),
        lost_(std::move(lost)) {}
  ~Link() override { ++*life_; }

  std::string& queue() override { return queue_; }
  size_t queued_bytes() const override { return queue_.size() + writing_.size() - written_; }

  void Flush() override {
    if (queue_.empty()) return;
    if (state_ == State::kIdle) Connect();
    if (state_ == State::kUp && writing_.empty()) WriteQueue();
  }

  void Reset() override {
    // Whatever is still to be called belongs to an earlier life and does nothing.
    ++*life_;
    asio::error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
    queue_.clear();
    writing_.clear();
    written_ = 0;
    state_ = State::kIdle;
  }

 private:
  enum class State : uint8_t { kIdle, kConnecting, kPausing, kUp };

  // Says whether this life goes on. Handlers are called even after the link itself is gone.
  auto Guard() const {
    return [token = life_, life = *life_] { return *token == life; };
  }

  void Connect() {
    state_ = State::kConnecting;
    socket_.async_connect(peer_, [this, valid = Guard()](const asio::error_code& error) {
      if (!valid()) return;
      if (error) return Pause();
      state_ = State::kUp;
      pause_ = kPauseMin;
      asio::error_code ignored;
      socket_.set_option(tcp::no_delay(true), ignored);
      socket_.set_option(asio::socket_base::keep_alive(true), ignored);
      Probe();
      Flush();
    });
  }

  // Nothing was lost: what is queued goes out once somebody listens.
  void Pause() {
    state_ = State::kPausing;
    asio::error_code ignored;
    socket_.close(ignored);
    timer_.expires_after(pause_);
    pause_ = std::min(pause_ * 2, kPauseMax);
    timer_.async_wait([this, valid = Guard()](const asio::error_code& error) {
      if (valid() && !error) Connect();
    });
  }

  // The peer never sends anything here; the read ends when the connection does.
  void Probe() {
    socket_.async_read_some(asio::buffer(probe_),
                            [this, valid = Guard()](const asio::error_code& error, size_t) {
                              if (!valid()) return;
                              if (error) return Break();
                              Probe();
                            });
  }

  void WriteQueue() {
    writing_.swap(queue_);
    written_ = 0;
    WriteRest();
  }

  void WriteRest() {
    socket_.async_write_some(asio::buffer(writing_.data() + written_, writing_.size() - written_),
                             [this, valid = Guard()](const asio::error_code& error, size_t bytes) {
                               if (!valid()) return;
                               if (error) return Break();
                               written_ += bytes;
                               if (written_ < writing_.size()) return WriteRest();
                               writing_.clear();
                               written_ = 0;
                               Flush();
                             });
  }

  void Break() {
    Reset();
    lost_();
  }

  tcp::endpoint peer_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  std::function<void()> lost_;
  State state_ = State::kIdle;
  const std::shared_ptr<uint64_t> life_ = std::make_shared<uint64_t>(0);
  milliseconds pause_ = kPauseMin;
  std::string queue_;
  std::string writing_;
  size_t written_ = 0;
  std::array<char, 64> probe_ = {};
};

}  // namespace

std::unique_ptr<TcpLink> TcpLink::Make(asio::io_context& loop, const HostPort& peer,
                                       std::function<void()> lost) {
  return std::make_unique<Link>(loop, peer, std::move(lost));
}

}  // namespace foretell::integration::sdk
