#include "foretell/integration/sdk/net/client_port.h"

#include <asio/buffer.hpp>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/net/host_port.h"
#include "foretell/integration/sdk/net/tcp_listener.h"

namespace foretell::integration::sdk {
namespace {

using asio::ip::tcp;

class Port final : public ClientPort {
 public:
  Port(asio::io_context& loop, Run run, Stats& stats)
      : listener_(loop), run_(std::move(run)), stats_(stats) {}

  absl::Status Bind(const HostPort& address) {
    const absl::Status bound = listener_.Bind(address, "clients");
    if (bound.ok()) listener_.Start([this](tcp::socket socket) { Take(std::move(socket)); });
    return bound;
  }

  std::string address() const override { return listener_.address(); }

 private:
  using ClientId = uint64_t;
  struct Client {
    explicit Client(tcp::socket s) : socket(std::move(s)) {}
    tcp::socket socket;
    std::string bytes;  // Read and not yet run; at most a line and what came with it.
    char chunk[1024] = {};
    std::string answer;
    size_t written = 0;
    bool leaving = false;  // Gets its answer and is gone.
  };

  void Take(tcp::socket socket) {
    asio::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const ClientId id = next_client_++;
    const bool crowded = clients_.size() >= kClientsMax;
    if (crowded) ++stats_.clients_refused;
    // A refused one is told why, and even those have an end.
    if (clients_.size() >= 2 * kClientsMax) return;
    clients_.emplace(id, std::make_unique<Client>(std::move(socket)));
    crowded ? Dismiss(id, "error too many clients") : Next(id);
  }

  // Runs the next line of the client, or reads on until there is one.
  void Next(ClientId id) {
    Client& client = *clients_.at(id);
    const size_t end = client.bytes.find('\n');
    if (end > kLineBytesMax && client.bytes.size() > kLineBytesMax) {
      ++stats_.lines_refused;
      return Dismiss(id, absl::StrCat("error a line may have ", kLineBytesMax, " bytes"));
    }
    if (end == std::string::npos) return Read(id);
    std::string line = client.bytes.substr(0, end);
    client.bytes.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    run_(line, [this, id](std::string answer) { Answer(id, std::move(answer)); });
  }

  void Read(ClientId id) {
    Client& client = *clients_.at(id);
    client.socket.async_read_some(asio::buffer(client.chunk),
                                  [this, id](const asio::error_code& error, size_t bytes) {
                                    const auto found = clients_.find(id);
                                    if (found == clients_.end()) return;
                                    if (error) return void(clients_.erase(found));
                                    found->second->bytes.append(found->second->chunk, bytes);
                                    Next(id);
                                  });
  }

  void Dismiss(ClientId id, std::string answer) {
    clients_.at(id)->leaving = true;
    Answer(id, std::move(answer));
  }

  void Answer(ClientId id, std::string answer) {
    const auto found = clients_.find(id);
    if (found == clients_.end()) return;
    found->second->answer = std::move(answer) + "\n";
    found->second->written = 0;
    Write(id);
  }

  void Write(ClientId id) {
    Client& client = *clients_.at(id);
    client.socket.async_write_some(
        asio::buffer(client.answer.data() + client.written, client.answer.size() - client.written),
        [this, id](const asio::error_code& error, size_t bytes) {
          const auto found = clients_.find(id);
          if (found == clients_.end()) return;
          Client& self = *found->second;
          self.written += bytes;
          if (error) return void(clients_.erase(found));
          if (self.written < self.answer.size()) return Write(id);
          if (self.leaving) return void(clients_.erase(found));
          Next(id);
        });
  }

  TcpListener listener_;
  Run run_;
  Stats& stats_;
  std::map<ClientId, std::unique_ptr<Client>> clients_;
  ClientId next_client_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ClientPort>> ClientPort::Open(asio::io_context& loop,
                                                             const std::string& address, Run run,
                                                             Stats& stats) {
  const auto parsed = ParseNumericHostPort(address);
  if (!parsed.ok()) return parsed.status();
  auto port = std::make_unique<Port>(loop, std::move(run), stats);
  const absl::Status bound = port->Bind(*parsed);
  if (!bound.ok()) return bound;
  return port;
}

}  // namespace foretell::integration::sdk
