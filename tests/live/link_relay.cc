#include "foretell/tests/live/link_relay.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace foretell::live {
namespace {

// Between two looks at what the test wants.
constexpr int kLookMillis = 5;

struct sockaddr_un NameOf(const std::string& path) {
  struct sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof(name.sun_path) - 1);
  return name;
}

}  // namespace

LinkRelay::LinkRelay(std::string path, std::string node)
    : path_(std::move(path)),
      node_(std::move(node)),
      listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  unlink(path_.c_str());
  const struct sockaddr_un name = NameOf(path_);
  bind(listener_, reinterpret_cast<const struct sockaddr*>(&name), sizeof(name));
  listen(listener_, 8);
  thread_ = std::thread([this] { Serve(); });
}

LinkRelay::~LinkRelay() {
  stopping_ = true;
  thread_.join();
  close(listener_);
  unlink(path_.c_str());
}

void LinkRelay::Serve() {
  while (!stopping_) {
    std::vector<struct pollfd> ends = {{listener_, POLLIN, 0}};
    for (const Pair& pair : pairs_) {
      for (const int end : {pair.agent, pair.node}) {
        ends.push_back({end, static_cast<short>(stalled_ ? 0 : POLLIN), 0});
      }
    }
    poll(ends.data(), ends.size(), kLookMillis);
    std::vector<Pair> left;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const Pair pair = pairs_[i];
      bool lives = !cut_ && !stopping_;
      if (lives && !stalled_ && ends[1 + 2 * i].revents != 0) lives = PassOn(pair.agent, pair.node);
      if (lives && !stalled_ && ends[2 + 2 * i].revents != 0) lives = PassOn(pair.node, pair.agent);
      if (lives) {
        left.push_back(pair);
      } else {
        close(pair.agent);
        close(pair.node);
      }
    }
    pairs_ = std::move(left);
    if (ends[0].revents != 0) Take();
  }
  for (const Pair& pair : pairs_) {
    close(pair.agent);
    close(pair.node);
  }
}

void LinkRelay::Take() {
  Pair pair;
  pair.agent = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (pair.agent < 0) return;
  pair.node = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct sockaddr_un name = NameOf(node_);
  const bool there =
      connect(pair.node, reinterpret_cast<const struct sockaddr*>(&name), sizeof(name)) == 0;
  if (there && !cut_) return pairs_.push_back(pair);
  close(pair.agent);
  close(pair.node);
}

bool LinkRelay::PassOn(int from, int to) {
  char bytes[16384];
  const ssize_t count = recv(from, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count <= 0) return count < 0 && errno == EAGAIN;
  for (ssize_t sent = 0; sent < count;) {
    const ssize_t part = send(to, bytes + sent, static_cast<size_t>(count - sent), MSG_NOSIGNAL);
    if (part < 0) return false;
    sent += part;
  }
  return true;
}

}  // namespace foretell::live
