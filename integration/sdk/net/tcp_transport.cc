#include "foretell/integration/sdk/net/tcp_transport.h"

#include <asio/buffer.hpp>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/net/host_port.h"
#include "foretell/integration/sdk/net/tcp_link.h"
#include "foretell/integration/sdk/net/tcp_listener.h"

namespace foretell::integration::sdk {
namespace {

using asio::ip::tcp;
using model::NodeId;

constexpr size_t kPrefixBytes = 4;
constexpr size_t kReadBytes = 64 << 10;
constexpr size_t kFrameBytesMax = kStreamBodyMax + kEnvelopeBytes;

class TcpTransport final : public Transport {
 public:
  TcpTransport(asio::io_context& loop, const Membership& membership, Callbacks callbacks,
               Stats& stats)
      : loop_(loop),
        listener_(loop),
        membership_(membership),
        callbacks_(std::move(callbacks)),
        stats_(stats) {}

  absl::Status Bind(const HostPort& address) { return listener_.Bind(address, "peers"); }

  absl::Status SetPeers(const std::vector<std::string>& addresses) override {
    std::vector<HostPort> peers;
    for (const std::string& text : addresses) {
      auto address = ParseNumericHostPort(text);
      if (!address.ok()) return address.status();
      peers.push_back(*std::move(address));
    }
    links_.resize(peers.size());
    for (uint32_t n = 0; n < peers.size(); ++n) {
      const bool same = !peers_.empty() && ToString(peers_[n]) == ToString(peers[n]);
      if (NodeId(n) == membership_.self || (links_[n] && same)) continue;
      const bool had = links_[n] != nullptr;
      const auto lost = [this, n] { callbacks_.outgoing_broken(NodeId(n)); };
      links_[n] = TcpLink::Make(loop_, peers[n], lost);
      if (had) lost();
    }
    // Until now nobody could be told from a stranger; who came early is waiting in the kernel.
    if (peers_.empty()) listener_.Start([this](tcp::socket socket) { Take(std::move(socket)); });
    peers_ = std::move(peers);
    return absl::OkStatus();
  }

  void Send(const Envelope& envelope) override {
    if (envelope.body.size() > kStreamBodyMax) {
      ++stats_.oversized;
      return Lose(envelope.to);
    }
    if (peers_.empty()) {
      ++stats_.no_peer;
      return callbacks_.outgoing_broken(envelope.to);
    }
    TcpLink& link = *links_[envelope.to.index()];
    const size_t bytes = kEnvelopeBytes + envelope.body.size();
    if (link.queued_bytes() + kPrefixBytes + bytes > kStreamQueueMax) {
      ++stats_.queue_overflows;
      return Lose(envelope.to);
    }
    std::string& queue = link.queue();
    for (size_t i = 0; i < kPrefixBytes; ++i) queue.push_back(static_cast<char>(bytes >> (8 * i)));
    AppendEnvelope(envelope, membership_.cluster, queue);
  }

  void Flush() override {
    for (const auto& link : links_) {
      if (link) link->Flush();
    }
  }

  void ResetFrom(NodeId peer) override {
    const auto current = current_.find(peer);
    if (current == current_.end()) return;
    sessions_.erase(current->second);
    current_.erase(current);
  }
  void ResetTo(NodeId peer) override {
    if (!peers_.empty()) links_[peer.index()]->Reset();
  }

  std::string address() const override { return listener_.address(); }

 private:
  struct Session {
    explicit Session(tcp::socket s) : socket(std::move(s)) {}
    tcp::socket socket;
    std::string bytes;           // Read and not yet taken.
    size_t filled = 0;           // Of `bytes`.
    std::optional<NodeId> from;  // Once the first envelope has said so.
  };
  using SessionId = uint64_t;

  // A stream that cannot carry one of its messages has to break.
  void Lose(NodeId to) {
    ResetTo(to);
    callbacks_.outgoing_broken(to);
  }

  void Take(tcp::socket socket) {
    const size_t sessions_max = 4 * size_t{membership_.node_count} + 8;
    if (sessions_.size() >= sessions_max) {
      ++stats_.clients_refused;
      return;
    }
    const SessionId id = next_session_++;
    sessions_.emplace(id, std::make_unique<Session>(std::move(socket)));
    Read(id);
  }

  // Handlers find their session by id: it may have ended since.
  void Read(SessionId id) {
    Session& session = *sessions_.at(id);
    session.bytes.resize(session.filled + kReadBytes);
    session.socket.async_read_some(asio::buffer(session.bytes.data() + session.filled, kReadBytes),
                                   [this, id](const asio::error_code& error, size_t bytes) {
                                     const auto found = sessions_.find(id);
                                     if (found == sessions_.end()) return;
                                     if (error) return End(id);
                                     found->second->filled += bytes;
                                     if (TakeFrames(id)) Read(id);
                                   });
  }

  // False if the session has ended.
  bool TakeFrames(SessionId id) {
    size_t at = 0;
    while (true) {
      const auto found = sessions_.find(id);
      if (found == sessions_.end()) return false;
      Session& session = *found->second;
      const std::string_view rest = std::string_view(session.bytes).substr(at, session.filled - at);
      const size_t size = FrameSize(rest);
      if (size > kFrameBytesMax) {
        ++stats_.garbage;
        End(id);
        return false;
      }
      if (rest.size() < kPrefixBytes || rest.size() - kPrefixBytes < size) {
        session.bytes.erase(0, at);
        session.filled -= at;
        return true;
      }
      at += kPrefixBytes + size;
      if (!TakeEnvelope(id, session, rest.substr(kPrefixBytes, size))) return false;
    }
  }

  static size_t FrameSize(std::string_view bytes) {
    size_t size = 0;
    for (size_t i = 0; i < kPrefixBytes && i < bytes.size(); ++i) {
      size |= size_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    }
    return bytes.size() < kPrefixBytes ? 0 : size;
  }

  // False if it was not taken, and the session has ended.
  bool TakeEnvelope(SessionId id, Session& session, std::string_view bytes) {
    Envelope envelope;
    EnvelopeError error = ParseEnvelope(bytes, membership_, envelope);
    if (error == EnvelopeError::kNone && !Known(session, envelope.from)) {
      error = EnvelopeError::kSender;
    }
    CountError(error, stats_);
    if (error != EnvelopeError::kNone) {
      End(id);
      return false;
    }
    if (!session.from) {
      // The sender has a new connection, so the old one is broken even if we do not see it yet.
      if (const auto old = current_.find(envelope.from); old != current_.end()) End(old->second);
      session.from = envelope.from;
      current_[envelope.from] = id;
    }
    callbacks_.message(envelope);
    return true;
  }

  bool Known(const Session& session, NodeId from) const {
    if (session.from) return *session.from == from;
    asio::error_code error;
    const tcp::endpoint source = session.socket.remote_endpoint(error);
    return !error && !peers_.empty() && source.address().to_string() == peers_[from.index()].host;
  }

  void End(SessionId id) {
    const std::optional<NodeId> from = sessions_.at(id)->from;
    sessions_.erase(id);
    if (!from) return;
    current_.erase(*from);
    callbacks_.incoming_broken(*from);
  }

  asio::io_context& loop_;
  TcpListener listener_;
  Membership membership_;
  Callbacks callbacks_;
  Stats& stats_;
  std::vector<HostPort> peers_;                  // Empty: not known yet.
  std::vector<std::unique_ptr<TcpLink>> links_;  // One per peer; null for this node.
  std::map<SessionId, std::unique_ptr<Session>> sessions_;
  std::map<NodeId, SessionId> current_;
  SessionId next_session_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Transport>> OpenTcp(asio::io_context& loop,
                                                   const std::string& listen,
                                                   const Membership& membership,
                                                   Transport::Callbacks callbacks, Stats& stats) {
  const auto address = ParseNumericHostPort(listen);
  if (!address.ok()) return address.status();
  auto transport = std::make_unique<TcpTransport>(loop, membership, std::move(callbacks), stats);
  const absl::Status bound = transport->Bind(*address);
  if (!bound.ok()) return bound;
  return transport;
}

}  // namespace foretell::integration::sdk
