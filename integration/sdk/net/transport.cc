#include "foretell/integration/sdk/net/transport.h"

#include "foretell/integration/sdk/net/tcp_transport.h"
#include "foretell/integration/sdk/net/udp_transport.h"

namespace foretell::integration::sdk {

absl::StatusOr<std::unique_ptr<Transport>> Transport::Open(model::NetworkKind kind,
                                                           asio::io_context& loop,
                                                           const std::string& listen,
                                                           const Membership& membership,
                                                           Callbacks callbacks, Stats& stats) {
  if (kind == model::NetworkKind::kStreams) {
    return OpenTcp(loop, listen, membership, std::move(callbacks), stats);
  }
  return OpenUdp(loop, listen, membership, std::move(callbacks), stats);
}

void CountError(EnvelopeError error, Stats& stats) {
  switch (error) {
    case EnvelopeError::kNone: break;
    case EnvelopeError::kGarbage: ++stats.garbage; break;
    case EnvelopeError::kVersion: ++stats.other_version; break;
    case EnvelopeError::kCluster: ++stats.other_cluster; break;
    case EnvelopeError::kSender: ++stats.unknown_sender; break;
    case EnvelopeError::kReceiver: ++stats.other_receiver; break;
  }
}

}  // namespace foretell::integration::sdk
