#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/integration/sdk/values/stats.h"

namespace asio {
class io_context;
}

namespace foretell::integration::sdk {

// Takes commands of clients, one per line, over TCP; on the node's loop. Each client has one
// command under way at a time, so a slow one holds nobody up and takes no memory but for its last
// answer.
class ClientPort {
 public:
  static constexpr size_t kLineBytesMax = 4096;
  static constexpr size_t kClientsMax = 256;

  // `run` answers one command by calling `reply` once, at once or later, on the loop. The reply
  // is sent as it is, with a line end.
  using Reply = std::function<void(std::string)>;
  using Run = std::function<void(const std::string& line, Reply reply)>;

  // Listens on `address` (HOST:PORT). `loop` and `stats` outlive it.
  static absl::StatusOr<std::unique_ptr<ClientPort>> Open(asio::io_context& loop,
                                                          const std::string& address, Run run,
                                                          Stats& stats);
  virtual ~ClientPort() = default;
  virtual std::string address() const = 0;
};

}  // namespace foretell::integration::sdk
