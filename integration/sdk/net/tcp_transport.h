#pragma once

#include "foretell/integration/sdk/net/transport.h"

namespace foretell::integration::sdk {

inline constexpr size_t kStreamBodyMax = 16 << 20;
// Bytes that may wait for one peer; beyond it the stream is reset.
inline constexpr size_t kStreamQueueMax = 32 << 20;

// One connection per directed pair, made by the sender when it has something to send, again and
// again with growing pauses. A break loses what was queued.
absl::StatusOr<std::unique_ptr<Transport>> OpenTcp(asio::io_context& loop,
                                                   const std::string& listen,
                                                   const Membership& membership,
                                                   Transport::Callbacks callbacks, Stats& stats);

}  // namespace foretell::integration::sdk
