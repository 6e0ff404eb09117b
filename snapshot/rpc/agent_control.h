#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::snapshot {

// The status that an agent reports on its control socket.
struct ControlStatus {
  bool killed = false;
  uint64_t rounds = 0;
  std::string reason;  // Of the kill; empty if not killed.
  std::string text;    // The agent's page: lines for people,
  std::string json;    // and for scripts. Empty: from an older agent.
};

// The requests that a running agent takes. Called on the server's thread: implementations are
// thread-safe, and quick.
class ControlHandler {
 public:
  virtual ~ControlHandler() = default;
  virtual void Kill(std::string reason) = 0;  // No veto from now on; again is fine.
  virtual void Revive() = 0;
  virtual ControlStatus Status() = 0;
};

// The agent's side: listens on a unix socket that only our user can reach. It answers even if the
// agent's own threads hang, as long as the handler does.
class ControlServer {
 public:
  // `handler` outlives the server.
  static absl::StatusOr<std::unique_ptr<ControlServer>> Start(const std::string& path,
                                                              ControlHandler& handler);
  virtual ~ControlServer() = default;  // Stops; no call reaches the handler afterwards.
};

// The other side. Each connects, asks once, and waits no longer than `timeout`: Unavailable if
// nobody listens there, DeadlineExceeded if there is no answer.
absl::Status SendKill(const std::string& path, const std::string& reason,
                      std::chrono::milliseconds timeout);
absl::Status SendRevive(const std::string& path, std::chrono::milliseconds timeout);
absl::StatusOr<ControlStatus> AskStatus(const std::string& path, std::chrono::milliseconds timeout);

}  // namespace foretell::snapshot
