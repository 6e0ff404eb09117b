#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "foretell/integration/sdk/net/host_port.h"
#include "gtest/gtest.h"

namespace foretell::integration::sdk::testing {

// A stranger: a plain socket that says whatever it is told to.
class Socket {
 public:
  // SOCK_STREAM connects; SOCK_DGRAM only remembers the address.
  Socket(int type, const std::string& address) : file_(::socket(AF_INET, type, 0)) {
    const HostPort parsed = *ParseNumericHostPort(address);
    sockaddr_in peer = {.sin_family = AF_INET, .sin_port = htons(parsed.port)};
    inet_pton(AF_INET, parsed.host.c_str(), &peer.sin_addr);
    EXPECT_EQ(::connect(file_, reinterpret_cast<sockaddr*>(&peer), sizeof(peer)), 0);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(file_); }

  // False if the other end has closed.
  bool Send(const std::string& bytes) {
    size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n = ::send(file_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (n < 0) return false;
      done += static_cast<size_t>(n);
    }
    return true;
  }
  // The next line, or what came before the other end closed.
  std::string Line() {
    while (true) {
      const size_t end = read_.find('\n');
      if (end != std::string::npos) {
        const std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return line;
      }
      pollfd waiting = {.fd = file_, .events = POLLIN, .revents = 0};
      char chunk[4096];
      if (::poll(&waiting, 1, 60'000) != 1) return "hangs";
      const ssize_t n = ::recv(file_, chunk, sizeof(chunk), 0);
      if (n <= 0) return "closed";
      read_.append(chunk, static_cast<size_t>(n));
    }
  }

 private:
  int file_;
  std::string read_;
};

}  // namespace foretell::integration::sdk::testing
