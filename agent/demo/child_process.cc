#include "foretell/agent/demo/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

// Between fork and exec only what is safe in a signal handler may be called.
[[noreturn]] void Become(char* const* arguments, int output, int log, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // It died before we asked to be told.
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

Millis Left(Clock::time_point deadline) {
  return std::max(Millis(0), std::chrono::ceil<Millis>(deadline - Clock::now()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int log_file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  int pipes[2] = {-1, -1};
  if (log_file < 0 || pipe2(pipes, O_CLOEXEC) != 0) {
    const std::string why = std::strerror(errno);
    if (log_file >= 0) close(log_file);
    return absl::UnavailableError(
        absl::StrCat("cannot start ", command.front(), " with log ", log, ": ", why));
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) Become(arguments.data(), pipes[1], log_file, parent);
  close(pipes[1]);
  close(log_file);
  if (pid < 0) {
    close(pipes[0]);
    return absl::UnavailableError(
        absl::StrCat("cannot start ", command.front(), ": ", std::strerror(errno)));
  }
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, pipes[0]));
}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(output_);
}

absl::StatusOr<std::string> ChildProcess::ReadLine(Millis timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (true) {
    if (const size_t end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    struct pollfd waiting = {output_, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(Left(deadline).count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return absl::DeadlineExceededError("no line in time");
    char bytes[4096];
    const ssize_t count = read(output_, bytes, sizeof(bytes));
    if (count <= 0) return absl::OutOfRangeError("its output has ended");
    buffer_.append(bytes, static_cast<size_t>(count));
  }
}

void ChildProcess::Signal(int signal) {
  if (!ended_) kill(pid_, signal);
}

bool ChildProcess::Running() { return !Wait(Millis(0)).ok(); }

absl::StatusOr<int> ChildProcess::Wait(Millis timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (!ended_) {
    int status = 0;
    const pid_t done = waitpid(pid_, &status, WNOHANG);
    if (done == pid_) {
      ended_ = true;
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    } else if (Clock::now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat("process ", pid_, " still runs"));
    } else {
      poll(nullptr, 0, 5);
    }
  }
  return code_;
}

Millis ChildProcess::ProcessorTime() const {
  clockid_t clock;
  struct timespec used = {};
  if (ended_ || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) {
    return Millis(0);
  }
  return std::chrono::duration_cast<Millis>(std::chrono::seconds(used.tv_sec) +
                                            std::chrono::nanoseconds(used.tv_nsec));
}

}  // namespace foretell::agent
