#include "foretell/agent/health/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

std::optional<uint64_t> NumberOf(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  uint64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// A line break would start another assignment.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

}  // namespace

ServiceManager::ServiceManager(const Environment& environment) {
  const std::string socket = environment("NOTIFY_SOCKET").value_or("");
  if (socket.starts_with('/') || socket.starts_with('@')) socket_ = socket;
  const std::optional<uint64_t> period = NumberOf(environment("WATCHDOG_USEC"));
  const std::optional<uint64_t> process = NumberOf(environment("WATCHDOG_PID"));
  const bool ours = !process || *process == static_cast<uint64_t>(getpid());
  if (period && *period > 1 && ours) watchdog_period_ = std::chrono::microseconds(*period / 2);
}

absl::Status ServiceManager::Ready(const std::string& status) const {
  return Send("READY=1\nSTATUS=" + OneLine(status));
}
absl::Status ServiceManager::Watchdog() const { return Send("WATCHDOG=1"); }
absl::Status ServiceManager::Stopping() const { return Send("STOPPING=1"); }
absl::Status ServiceManager::Status(const std::string& status) const {
  return Send("STATUS=" + OneLine(status));
}

absl::Status ServiceManager::Send(const std::string& message) const {
  if (socket_.empty()) return absl::OkStatus();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof address.sun_path) {
    return absl::InvalidArgumentError(absl::StrCat("NOTIFY_SOCKET is too long: ", socket_));
  }
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  // The first byte of an abstract name is zero, and its length counts.
  if (socket_[0] == '@') address.sun_path[0] = '\0';
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return absl::UnavailableError(absl::StrCat("socket: ", strerror(errno)));
  const ssize_t sent = sendto(fd, message.data(), message.size(), MSG_NOSIGNAL,
                              reinterpret_cast<const sockaddr*>(&address), length);
  const int error = errno;
  close(fd);
  if (sent == static_cast<ssize_t>(message.size())) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot tell ", message.substr(0, message.find('\n')),
                                             " to ", socket_, ": ", strerror(error)));
}

}  // namespace foretell::agent
