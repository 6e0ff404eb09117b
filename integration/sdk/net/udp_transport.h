#pragma once

#include "foretell/integration/sdk/net/transport.h"

namespace foretell::integration::sdk {

// A body beyond this does not fit into a datagram on every network stack.
inline constexpr size_t kDatagramBodyMax = 60 * 1000;

// One socket for all peers. A datagram is taken only if it comes from the address of the node that
// it claims to be from.
absl::StatusOr<std::unique_ptr<Transport>> OpenUdp(asio::io_context& loop,
                                                   const std::string& listen,
                                                   const Membership& membership,
                                                   Transport::Callbacks callbacks, Stats& stats);

}  // namespace foretell::integration::sdk
