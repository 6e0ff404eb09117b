#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace foretell::snapshot {

// Limits on what a peer can make us do.
struct RpcLimits {
  size_t message_bytes_max = 64 << 20;
  uint32_t nesting_max = 32;
  size_t connections_max = 8;
  // From the connection to the hello, TLS included. Otherwise a few silent peers would lock all
  // others out.
  std::chrono::milliseconds greeting_time{10'000};
  uint64_t reply_bytes_per_second = 0;  // Of checkpoints; beyond it they are refused. 0: no cap.
};

}  // namespace foretell::snapshot
