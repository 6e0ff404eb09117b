#include "foretell/agent/demo/node_client.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

// A node answers at once; a machine may not.
constexpr std::chrono::minutes kAskTimeout{5};

absl::Status Unreachable(const ClientAddress& node, const std::string& why) {
  return absl::UnavailableError(absl::StrCat("client port ", ToString(node), ": ", why));
}

class Connection {
 public:
  static absl::StatusOr<Connection> Open(const ClientAddress& node) {
    struct addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    struct addrinfo* found = nullptr;
    const std::string port = absl::StrCat(node.port);
    const int error = getaddrinfo(node.host.c_str(), port.c_str(), &hints, &found);
    if (error != 0) return Unreachable(node, gai_strerror(error));
    std::string why = "no address";
    int file = -1;
    for (const struct addrinfo* at = found; at != nullptr && file < 0; at = at->ai_next) {
      file = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (file >= 0 && connect(file, at->ai_addr, at->ai_addrlen) == 0) break;
      why = std::strerror(errno);
      if (file >= 0) close(file);
      file = -1;
    }
    freeaddrinfo(found);
    if (file < 0) return Unreachable(node, why);
    return Connection(file);
  }
  Connection(Connection&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  ~Connection() {
    if (file_ >= 0) close(file_);
  }

  absl::Status Send(const std::string& line) {
    const std::string bytes = line + "\n";
    const ssize_t sent = send(file_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(bytes.size())) return absl::OkStatus();
    return absl::UnavailableError("the node does not take what is sent");
  }
  absl::StatusOr<std::string> ReadLine() {
    size_t end;
    while ((end = buffer_.find('\n')) == std::string::npos) {
      struct pollfd waiting = {file_, POLLIN, 0};
      const int ready =
          poll(&waiting, 1, static_cast<int>(kAskTimeout / std::chrono::milliseconds(1)));
      char bytes[4096];
      const ssize_t count = ready > 0 ? read(file_, bytes, sizeof(bytes)) : 0;
      if (count <= 0) return absl::UnavailableError("the node does not answer");
      buffer_.append(bytes, static_cast<size_t>(count));
    }
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    return line;
  }

 private:
  explicit Connection(int file) : file_(file) {}
  int file_;
  std::string buffer_;
};

}  // namespace

absl::StatusOr<ClientAddress> ParseClientAddress(const std::string& text) {
  auto address = snapshot::ParseHostPort(text);
  if (address.ok() && address->port == 0) {
    return snapshot::BadAddress(text, "a port from 1 to 65535, got \"0\"");
  }
  return address;
}

absl::StatusOr<std::string> AskNode(const ClientAddress& node, const std::string& line) {
  auto connection = Connection::Open(node);
  if (!connection.ok()) return connection.status();
  if (auto sent = connection->Send(line); !sent.ok()) return sent;
  return connection->ReadLine();
}

absl::StatusOr<std::vector<std::string>> AskNodeAll(const ClientAddress& node,
                                                    const std::string& line) {
  auto connection = Connection::Open(node);
  if (!connection.ok()) return connection.status();
  if (auto sent = connection->Send(line); !sent.ok()) return sent;
  std::vector<std::string> lines;
  while (true) {
    auto next = connection->ReadLine();
    if (!next.ok()) return next.status();
    if (*next == ".") return lines;
    lines.push_back(*std::move(next));
  }
}

}  // namespace foretell::agent
