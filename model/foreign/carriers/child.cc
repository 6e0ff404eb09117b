#include "foretell/model/foreign/carriers/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/carriers/answer.h"
#include "foretell/model/foreign/carriers/last_words.h"
#include "foretell/model/foreign/wire/frame.h"

namespace foretell::model::foreign {
namespace {

constexpr size_t kHeader = 8;
constexpr size_t kHeardMax = 4096;
constexpr int kLook = 50;  // Milliseconds between two looks at one that does not answer.

// Signals by which others, the kernel among them, end processes that did nothing about it.
bool IsMurder(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP || signal == SIGINT;
}

}  // namespace

Child::~Child() {
  if (!ended_) Reap(/*by_force=*/true);
  close(newborn_.talk);
  close(newborn_.errors);
}

absl::Status Child::Ask(uint32_t op, std::string_view request, std::string& reply) {
  Writer frame;
  frame.U32(static_cast<uint32_t>(request.size()));
  frame.U32(op);
  sent_ = frame.Take();
  sent_.append(request);
  received_.clear();
  std::string_view unsent = sent_;
  std::optional<Wait> wait;
  while (true) {
    if (!Send(unsent)) return Bury("");
    struct pollfd ends[] = {
        {newborn_.talk, static_cast<short>(unsent.empty() ? POLLIN : POLLIN | POLLOUT), 0},
        {newborn_.errors, POLLIN, 0}};
    const int ready = poll(ends, 2, kLook);
    if (ends[1].revents != 0) Listen();
    if (ends[0].revents != 0 && !Receive()) return Bury("");
    std::string nonsense;
    if (const size_t size = Answered(nonsense); size > 0) {
      Reader header(received_);
      header.U32("size");
      const auto code = static_cast<int32_t>(header.U32("code"));
      reply.assign(received_, kHeader);
      return code == 0 ? absl::OkStatus() : StatusOf(code, reply);
    }
    if (!nonsense.empty()) return Bury(nonsense);
    if (ready > 0) continue;
    if (const std::string why = Impatience(wait); !why.empty()) return Bury(why);
  }
}

bool Child::Send(std::string_view& unsent) {
  while (!unsent.empty()) {
    const ssize_t count = send(newborn_.talk, unsent.data(), unsent.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    unsent.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool Child::Receive() {
  std::array<char, 64 * 1024> bytes;
  const ssize_t count = recv(newborn_.talk, bytes.data(), bytes.size(), 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  received_.append(bytes.data(), static_cast<size_t>(count));
  return count > 0;
}

void Child::Listen() {
  std::array<char, kHeardMax> bytes;
  for (ssize_t count = 1; count > 0;) {
    count = read(newborn_.errors, bytes.data(), bytes.size());
    if (count > 0) heard_.append(bytes.data(), static_cast<size_t>(count));
    if (heard_.size() > kHeardMax) heard_.erase(0, heard_.size() - kHeardMax);
  }
}

size_t Child::Answered(std::string& nonsense) const {
  if (received_.size() < kHeader) return 0;
  const uint64_t size = Reader(received_).U32("size");
  if (size > kReplyMax) {
    nonsense = absl::StrCat("answered with a frame of ", size, " bytes, at most ", kReplyMax,
                            " are read; does something else print to its standard output?");
  } else if (received_.size() > kHeader + size) {
    nonsense = absl::StrCat("answered with ", received_.size() - kHeader - size,
                            " bytes more than the ", size, " of its frame");
  }
  return nonsense.empty() && received_.size() == kHeader + size ? kHeader + size : 0;
}

Child::Moment Child::Now() const {
  Moment now{.wall = Clock::now()};
  clockid_t clock{};
  struct timespec used = {};
  if (clock_getcpuclockid(newborn_.pid, &clock) == 0 && clock_gettime(clock, &used) == 0) {
    now.processor_time = std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }
  return now;
}

std::string Child::Impatience(std::optional<Wait>& wait) const {
  const Moment now = Now();
  if (!wait) wait = Wait{.begin = now, .awake = now};
  if (now.processor_time != wait->awake.processor_time) wait->awake = now;
  if (!wait->over && patiences_.is_over && patiences_.is_over()) wait->over = now;
  const auto exhausted = [&](const Moment& since, const Patience& patience) -> std::string {
    if (now.processor_time - since.processor_time >= patience.processor_time) {
      return absl::StrCat("did not answer within ", patience.processor_time.count(),
                          " ms of processor time");
    }
    if (now.wall - std::max(since.wall, wait->awake.wall) < patience.asleep) return "";
    return absl::StrCat("did nothing for ", patience.asleep.count(), " ms instead of answering");
  };
  std::string why = exhausted(wait->begin, patiences_.usual);
  if (why.empty() && wait->over) why = exhausted(*wait->over, patiences_.over);
  return why;
}

void Child::Kill() const {
  kill(-newborn_.pid, SIGKILL);
  kill(newborn_.pid, SIGKILL);
}

int Child::Reap(bool by_force) {
  constexpr int kPatienceLooks = 2'000;  // Milliseconds from closed streams to the end.
  int status = 0;
  for (int look = 0; !by_force && look < kPatienceLooks; ++look) {
    if (waitpid(newborn_.pid, &status, WNOHANG) == newborn_.pid) {
      ended_ = true;
      kill(-newborn_.pid, SIGKILL);  // What it may have left behind.
      return status;
    }
    poll(nullptr, 0, 1);
  }
  Kill();
  while (waitpid(newborn_.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
  return status;
}

absl::Status Child::Bury(const std::string& why) {
  const int status = Reap(/*by_force=*/!why.empty());
  Listen();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
  murdered_ = why.empty() && IsMurder(signal);
  epitaph_ = absl::StrCat(why.empty() ? EndText(status) : why, LastWords(heard_));
  return absl::UnavailableError(epitaph_);
}

}  // namespace foretell::model::foreign
