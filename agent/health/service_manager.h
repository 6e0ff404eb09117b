#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace foretell::agent {

// Tells the service manager how we are, if it wants to know: datagrams to the socket that it named
// in NOTIFY_SOCKET.
class ServiceManager {
 public:
  using Environment = std::function<std::optional<std::string>(const std::string&)>;
  explicit ServiceManager(const Environment& environment);

  // The manager waits for these. Ok without a manager; otherwise what the socket said.
  absl::Status Ready(const std::string& status) const;
  absl::Status Watchdog() const;
  absl::Status Stopping() const;
  absl::Status Status(const std::string& status) const;  // One line for `systemctl status`.

  // The period of calls of Watchdog(): half of what the manager grants. None if it does not watch
  // this process.
  std::optional<std::chrono::microseconds> watchdog_period() const { return watchdog_period_; }
  bool present() const { return !socket_.empty(); }

 private:
  absl::Status Send(const std::string& message) const;

  std::string socket_;  // Path, or '@' and an abstract name. Empty: no manager.
  std::optional<std::chrono::microseconds> watchdog_period_;
};

}  // namespace foretell::agent
