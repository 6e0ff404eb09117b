#include "foretell/integration/sdk/net/udp_transport.h"

#include <sys/socket.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/net/host_port.h"

namespace foretell::integration::sdk {
namespace {

using asio::ip::udp;
using model::NodeId;

constexpr size_t kReceiveBatch = 32;
constexpr int kBatchesMax = 4;  // Per wake-up, so that timers and clients get their turn.
constexpr size_t kSendBatch = 64;
constexpr size_t kDatagramBytesMax = 1 << 16;
constexpr int kSocketBytes = 4 << 20;

udp::endpoint EndpointOf(const HostPort& address) {
  return udp::endpoint(asio::ip::make_address(address.host), address.port);
}

class UdpTransport final : public Transport {
 public:
  UdpTransport(asio::io_context& loop, const Membership& membership, Callbacks callbacks,
               Stats& stats)
      : socket_(loop),
        membership_(membership),
        callbacks_(std::move(callbacks)),
        stats_(stats),
        buffers_(kReceiveBatch * kDatagramBytesMax, '\0') {}

  absl::Status Bind(const HostPort& address) {
    const udp::endpoint local = EndpointOf(address);
    asio::error_code error;
    socket_.open(local.protocol(), error);
    if (!error) socket_.bind(local, error);
    if (!error) socket_.non_blocking(true, error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot bind UDP to ", ToString(address), ": ", error.message()));
    }
    // A larger buffer loses less in a burst; the kernel grants what it likes.
    asio::error_code ignored;
    socket_.set_option(asio::socket_base::receive_buffer_size(kSocketBytes), ignored);
    socket_.set_option(asio::socket_base::send_buffer_size(kSocketBytes), ignored);
    return absl::OkStatus();
  }

  absl::Status SetPeers(const std::vector<std::string>& addresses) override {
    std::vector<udp::endpoint> peers;
    for (const std::string& text : addresses) {
      const auto address = ParseNumericHostPort(text);
      if (!address.ok()) return address.status();
      peers.push_back(EndpointOf(*address));
    }
    Flush();
    // Until now nobody could be told from a stranger; what came early is waiting in the kernel.
    if (peers_.empty()) Wait();
    peers_ = std::move(peers);
    return absl::OkStatus();
  }

  void Send(const Envelope& envelope) override {
    if (envelope.body.size() > kDatagramBodyMax) {
      ++stats_.oversized;
    } else if (peers_.empty()) {
      ++stats_.no_peer;
    } else {
      if (queued_.size() == kSendBatch) Flush();
      const size_t start = outgoing_.size();
      AppendEnvelope(envelope, membership_.cluster, outgoing_);
      queued_.push_back({envelope.to, start, outgoing_.size() - start});
    }
  }

  void Flush() override {
    std::array<mmsghdr, kSendBatch> headers = {};
    std::array<iovec, kSendBatch> parts = {};
    for (size_t i = 0; i < queued_.size(); ++i) {
      udp::endpoint& peer = peers_[queued_[i].to.index()];
      parts[i] = {outgoing_.data() + queued_[i].start, queued_[i].bytes};
      headers[i].msg_hdr.msg_name = peer.data();
      headers[i].msg_hdr.msg_namelen = static_cast<socklen_t>(peer.size());
      headers[i].msg_hdr.msg_iov = &parts[i];
      headers[i].msg_hdr.msg_iovlen = 1;
    }
    size_t done = 0;
    while (done < queued_.size()) {
      const auto count = static_cast<unsigned>(queued_.size() - done);
      const int sent = ::sendmmsg(socket_.native_handle(), &headers[done], count, MSG_DONTWAIT);
      // The first of them failed: a full buffer, or a peer that is gone. Datagrams can be lost.
      if (sent <= 0) ++stats_.send_failed;
      done += sent > 0 ? static_cast<size_t>(sent) : 1;
    }
    queued_.clear();
    outgoing_.clear();
  }

  void ResetFrom(NodeId) override {}
  void ResetTo(NodeId) override {}

  std::string address() const override {
    asio::error_code error;
    const udp::endpoint local = socket_.local_endpoint(error);
    return ToString(HostPort{local.address().to_string(), local.port()});
  }

 private:
  struct Queued {
    NodeId to{0};
    size_t start = 0;
    size_t bytes = 0;
  };

  void Wait() {
    socket_.async_wait(udp::socket::wait_read, [this](const asio::error_code& error) {
      if (error == asio::error::operation_aborted) return;
      for (int batch = 0; batch < kBatchesMax && Drain() == kReceiveBatch; ++batch) {
      }
      Wait();
    });
  }

  // Takes up to kReceiveBatch datagrams with one call; returns how many there were.
  size_t Drain() {
    std::array<mmsghdr, kReceiveBatch> headers = {};
    std::array<iovec, kReceiveBatch> parts = {};
    std::array<udp::endpoint, kReceiveBatch> sources;
    for (size_t i = 0; i < kReceiveBatch; ++i) {
      parts[i] = {buffers_.data() + i * kDatagramBytesMax, kDatagramBytesMax};
      headers[i].msg_hdr.msg_name = sources[i].data();
      headers[i].msg_hdr.msg_namelen = static_cast<socklen_t>(sources[i].capacity());
      headers[i].msg_hdr.msg_iov = &parts[i];
      headers[i].msg_hdr.msg_iovlen = 1;
    }
    const int count =
        ::recvmmsg(socket_.native_handle(), headers.data(), kReceiveBatch, MSG_DONTWAIT, nullptr);
    for (int n = 0; n < count; ++n) {
      const auto i = static_cast<size_t>(n);
      sources[i].resize(headers[i].msg_hdr.msg_namelen);
      Take({buffers_.data() + i * kDatagramBytesMax, headers[i].msg_len}, sources[i]);
    }
    return count > 0 ? static_cast<size_t>(count) : 0;
  }

  void Take(std::string_view bytes, const udp::endpoint& source) {
    Envelope envelope;
    EnvelopeError error = ParseEnvelope(bytes, membership_, envelope);
    if (error == EnvelopeError::kNone && peers_[envelope.from.index()] != source) {
      error = EnvelopeError::kSender;
    }
    CountError(error, stats_);
    if (error == EnvelopeError::kNone) callbacks_.message(envelope);
  }

  udp::socket socket_;
  Membership membership_;
  Callbacks callbacks_;
  Stats& stats_;
  std::vector<udp::endpoint> peers_;  // Empty: not known yet.
  std::string buffers_;
  std::string outgoing_;
  std::vector<Queued> queued_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> OpenUdp(asio::io_context& loop,
                                                   const std::string& listen,
                                                   const Membership& membership,
                                                   Transport::Callbacks callbacks, Stats& stats) {
  const auto address = ParseNumericHostPort(listen);
  if (!address.ok()) return address.status();
  auto transport = std::make_unique<UdpTransport>(loop, membership, std::move(callbacks), stats);
  const absl::Status bound = transport->Bind(*address);
  if (!bound.ok()) return bound;
  return transport;
}

}  // namespace foretell::integration::sdk
