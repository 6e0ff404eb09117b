#include "foretell/snapshot/rpc/socket.h"

#include <fcntl.h>
#include <kj/io.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {
namespace {

constexpr int kBacklog = 64;

absl::Status SystemError(const std::string& what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", strerror(errno)));
}

sockaddr_un SocketName(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  memcpy(name.sun_path, path.data(), path.size());
  return name;
}

kj::AutoCloseFd UnixSocket() {
  return kj::AutoCloseFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

bool Bind(int fd, const std::string& path) {
  const sockaddr_un name = SocketName(path);
  return bind(fd, reinterpret_cast<const sockaddr*>(&name), sizeof(name)) == 0;
}

// Removes a socket that nobody listens on; otherwise says who is in the way.
absl::Status RemoveStale(const std::string& path) {
  struct stat file {};
  if (lstat(path.c_str(), &file) != 0) return SystemError(path);
  if (!S_ISSOCK(file.st_mode)) {
    return absl::AlreadyExistsError(absl::StrCat(path, " exists and is not a socket"));
  }
  const kj::AutoCloseFd probe = UnixSocket();
  const sockaddr_un name = SocketName(path);
  const int result = connect(probe, reinterpret_cast<const sockaddr*>(&name), sizeof(name));
  // Only this error says that nobody is there; a full queue of connections is a sign of life.
  if (result == 0 || errno != ECONNREFUSED) {
    return absl::AlreadyExistsError(absl::StrCat(path, ": another process listens on this socket"));
  }
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    return SystemError(absl::StrCat("unlink ", path));
  return absl::OkStatus();
}

// Takes the file of a socket away, unless another process has put its own there.
class SocketFile {
 public:
  explicit SocketFile(std::string path) : path_(std::move(path)) { lstat(path_.c_str(), &ours_); }
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;
  ~SocketFile() {
    struct stat now {};
    if (lstat(path_.c_str(), &now) != 0) return;
    if (now.st_ino == ours_.st_ino && now.st_dev == ours_.st_dev) unlink(path_.c_str());
  }

 private:
  const std::string path_;
  struct stat ours_ {};
};

absl::StatusOr<Listening> ListenUnix(RpcLoop& loop, const Address& address) {
  const std::string& path = address.path;
  if (path.empty() || path.size() > kSocketPathMax) {
    return absl::InvalidArgumentError(absl::StrCat("socket path ", path, ": ", path.size(),
                                                   " bytes, must be 1 to ", kSocketPathMax));
  }
  kj::AutoCloseFd fd = UnixSocket();
  if (fd == nullptr) return SystemError("socket");
  // On Linux the file gets the mode of the socket: there is no moment at which others may connect.
  if (fchmod(fd, S_IRUSR | S_IWUSR) != 0) return SystemError(absl::StrCat("mode of ", path));
  if (!Bind(fd, path)) {
    if (errno != EADDRINUSE) return SystemError(absl::StrCat("bind ", path));
    const absl::Status removed = RemoveStale(path);
    if (!removed.ok()) return removed;
    if (!Bind(fd, path)) return SystemError(absl::StrCat("bind ", path));
  }
  auto file = kj::heap<SocketFile>(path);
  if (listen(fd, kBacklog) != 0) return SystemError(absl::StrCat("listen on ", path));
  using Flags = kj::LowLevelAsyncIoProvider;
  auto receiver = loop.low_level().wrapListenSocketFd(
      kj::mv(fd), Flags::ALREADY_CLOEXEC | Flags::ALREADY_NONBLOCK);
  return Listening{receiver.attach(kj::mv(file)), address};
}

kj::Promise<kj::Own<kj::NetworkAddress>> Resolve(RpcLoop& loop, const Address& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  const std::string text = !address.tcp ? absl::StrCat("unix:", address.path)
                           : v6         ? absl::StrCat("[", address.host, "]:", address.port)
                                        : absl::StrCat(address.host, ":", address.port);
  return loop.network().parseAddress(text.c_str(), address.port);
}

template <class T>
void SetOption(kj::AsyncIoStream& stream, int level, int option, T value) {
  stream.setsockopt(level, option, &value, sizeof(value));
}

}  // namespace

kj::Promise<absl::StatusOr<Listening>> Listen(RpcLoop& loop, const Address& address) {
  if (!address.tcp) return ListenUnix(loop, address);
  return Resolve(loop, address)
      .then(
          [address](kj::Own<kj::NetworkAddress> resolved) -> absl::StatusOr<Listening> {
            Listening result{resolved->listen(), address};
            result.address.port = static_cast<uint16_t>(result.receiver->getPort());
            return result;
          },
          [address](kj::Exception&& e) -> absl::StatusOr<Listening> {
            return Annotate(ToStatus(e), ToString(address));
          });
}

kj::Promise<kj::Own<kj::AsyncIoStream>> Connect(RpcLoop& loop, const Address& address) {
  return Resolve(loop, address)
      .then([](kj::Own<kj::NetworkAddress> resolved) {
        auto connected = resolved->connect();
        return connected.attach(kj::mv(resolved));
      })
      // Also what kj calls a failure, as a socket file that is not there.
      .catch_([](kj::Exception&& e) -> kj::Promise<kj::Own<kj::AsyncIoStream>> {
        return LostConnection(e.getDescription().cStr());
      })
      .then([address](kj::Own<kj::AsyncIoStream> stream) {
        WatchPeer(*stream, address);
        return kj::mv(stream);
      });
}

void WatchPeer(kj::AsyncIoStream& stream, const Address& address) {
  if (!address.tcp) return;
  SetOption(stream, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetOption(stream, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  SetOption(stream, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  SetOption(stream, IPPROTO_TCP, TCP_KEEPCNT, 3);
  SetOption(stream, IPPROTO_TCP, TCP_USER_TIMEOUT, 20'000U);  // Milliseconds.
  SetOption(stream, IPPROTO_TCP, TCP_NODELAY, 1);
}

}  // namespace foretell::snapshot
