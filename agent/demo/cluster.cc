#include "agent/demo/cluster.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::agent {
namespace {

// A loaded machine can take long to start a process; a hang must end.
constexpr std::chrono::seconds kStartTimeout{60};
constexpr std::chrono::seconds kAskTimeout{20};

class Connection {
 public:
  static absl::StatusOr<Connection> Open(uint16_t port) {
    const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(file, reinterpret_cast<struct sockaddr*>(&address), sizeof(address)) != 0) {
      const std::string why = std::strerror(errno);
      close(file);
      return absl::UnavailableError(absl::StrCat("client port ", port, ": ", why));
    }
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

uint16_t PortOf(const std::string& address) {
  return static_cast<uint16_t>(std::stoul(address.substr(address.rfind(':') + 1)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Start(ClusterOptions options) {
  const size_t count = options.node_count;
  std::unique_ptr<Cluster> cluster(new Cluster(std::move(options)));
  cluster->nodes_.resize(count);
  for (size_t n = 0; n < count; ++n) {
    cluster->nodes_[n].agent =
        cluster->options_.agent_tcp
            ? "tcp:127.0.0.1:0"
            : absl::StrCat("unix:", cluster->options_.folder, "/node", n, ".sock");
    if (auto status = cluster->Launch(n, "127.0.0.1:0"); !status.ok()) return status;
  }
  for (size_t n = 0; n < count; ++n) {
    if (auto status = cluster->Introduce(n); !status.ok()) return status;
  }
  return cluster;
}

absl::Status Cluster::Launch(size_t node, const std::string& listen) {
  std::vector<std::string> command = {options_.program, "node",
                                      "--service",      options_.service,
                                      "--id",           absl::StrCat(node),
                                      "--listen",       listen,
                                      "--client",       "127.0.0.1:0",
                                      "--agent",        agent_address(node),
                                      "--seed",         absl::StrCat(options_.seed)};
  const auto add = [&command](const std::string& flag, const std::string& value) {
    if (value.empty()) return;
    command.push_back(flag);
    command.push_back(value);
  };
  add("--scenario", options_.scenario);
  add("--bug", options_.bug);
  if (options_.store) add("--store", absl::StrCat(options_.folder, "/store", node));
  command.insert(command.end(), options_.node_flags.begin(), options_.node_flags.end());
  const std::string log = absl::StrCat(options_.folder, "/node", node, ".log");
  auto process = ChildProcess::Start(command, log);
  if (!process.ok()) return process.status();
  const auto line = (*process)->ReadLine(kStartTimeout);
  const auto ready = nlohmann::json::parse(line.ok() ? *line : "", nullptr, false);
  if (!ready.is_object() || !ready.contains("client") || !ready.contains("listen")) {
    return absl::UnavailableError(absl::StrCat("node ", node, " did not start; see ", log));
  }
  nodes_[node] = {*std::move(process), ready["listen"].get<std::string>(),
                  PortOf(ready["client"].get<std::string>()), ready.value("agent", "")};
  return absl::OkStatus();
}

absl::Status Cluster::Introduce(size_t node) {
  const std::string peers = absl::StrJoin(
      nodes_, ",", [](std::string* out, const Node& peer) { absl::StrAppend(out, peer.listen); });
  const auto answer = Ask(node, "peers " + peers);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("node ", node, ": ", *answer));
}

absl::Status Cluster::Restart(size_t node) {
  const std::string listen = nodes_[node].listen;
  nodes_[node].process.reset();
  if (auto status = Launch(node, listen); !status.ok()) return status;
  return Introduce(node);
}

absl::StatusOr<std::string> Cluster::Ask(size_t node, const std::string& line) {
  auto connection = Connection::Open(nodes_[node].client_port);
  if (!connection.ok()) return connection.status();
  if (auto sent = connection->Send(line); !sent.ok()) return sent;
  return connection->ReadLine();
}

absl::StatusOr<std::vector<std::string>> Cluster::AskAll(size_t node, const std::string& line) {
  auto connection = Connection::Open(nodes_[node].client_port);
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

std::string Cluster::AgentConfig(const std::string& more) const {
  std::string text = absl::StrCat("[service]\nname = \"", options_.service, "\"\n");
  if (!options_.scenario.empty()) {
    absl::StrAppend(&text, "scenario = \"", options_.scenario, "\"\n");
  }
  if (!options_.bug.empty()) absl::StrAppend(&text, "bug = \"", options_.bug, "\"\n");
  for (size_t n = 0; n < nodes_.size(); ++n) {
    absl::StrAppend(&text, "[[nodes]]\nid = ", n, "\naddress = \"", agent_address(n), "\"\n");
  }
  return text + more;
}

}  // namespace foretell::agent
