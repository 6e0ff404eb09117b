#include "foretell/model/foreign/carriers/nursery.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::model::foreign {
namespace {

struct Birth {
  const char* command;
  int talk;
  int errors;
  pid_t parent;
  uint64_t memory_max;
};

// Between vfork and exec only what is safe in a signal handler may be called. A group of its own,
// so that Ctrl-C is ours to deal with, and whatever it starts ends with it.
[[noreturn]] void Become(const Birth& birth) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != birth.parent) _exit(127);  // It died before we asked to be told.
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // What it may write to; what runtimes merely reserve does not count.
  const struct rlimit memory = {birth.memory_max, birth.memory_max};
  setrlimit(RLIMIT_DATA, &memory);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(birth.talk, STDIN_FILENO);
  dup2(birth.talk, STDOUT_FILENO);
  dup2(birth.errors, STDERR_FILENO);
  close_range(3, ~0u, 0);
  execl("/bin/sh", "sh", "-c", birth.command, nullptr);
  _exit(127);
}

// The command in place of the shell, if it is a simple one: how it ends, what it spends and whom
// the kernel ends with us is then about itself. Assignments in front of it are for env.
std::string InPlaceOfTheShell(const std::string& command) {
  if (command.find_first_of(";|&<>()`\n") != std::string::npos) return command;
  const size_t begin = command.find_first_not_of(' ');
  const std::string first = command.substr(begin, command.find(' ', begin) - begin);
  if (first == "exec") return command;
  return (first.find('=') == std::string::npos ? "exec " : "exec env ") + command.substr(begin);
}

void CloseAll(std::initializer_list<int> files) {
  for (const int file : files) {
    if (file >= 0) close(file);
  }
}

}  // namespace

Nursery::Nursery(const std::string& command, uint64_t memory_max)
    : command_(InPlaceOfTheShell(command)),
      memory_max_(memory_max),
      born_(absl::UnavailableError("nothing was started")),
      thread_([this] { Serve(); }) {}

Nursery::~Nursery() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

absl::StatusOr<Newborn> Nursery::Start() {
  MutexLock lock(mutex_);
  while (busy_) changed_.Wait(mutex_);
  busy_ = true;
  wanted_ = true;
  changed_.NotifyAll();
  while (wanted_) changed_.Wait(mutex_);
  absl::StatusOr<Newborn> born = std::move(born_);
  busy_ = false;
  changed_.NotifyAll();
  return born;
}

void Nursery::Serve() {
  MutexLock lock(mutex_);
  while (!closing_) {
    if (wanted_) {
      born_ = Bear();
      wanted_ = false;
      changed_.NotifyAll();
    }
    changed_.Wait(mutex_);
  }
}

absl::StatusOr<Newborn> Nursery::Bear() const {
  int talk[2] = {-1, -1};
  int errors[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, talk) != 0 ||
      pipe2(errors, O_CLOEXEC) != 0) {
    const std::string why = std::strerror(errno);
    CloseAll({talk[0], talk[1], errors[0], errors[1]});
    return absl::UnavailableError(absl::StrCat("cannot start '", command_, "': ", why));
  }
  const Birth birth{command_.c_str(), talk[1], errors[1], getpid(), memory_max_};
  // Not fork: a search may hold gigabytes, whose page tables would be copied each time.
  const pid_t pid = vfork();
  if (pid == 0) Become(birth);
  const int error = errno;
  CloseAll({talk[1], errors[1]});
  if (pid < 0) {
    CloseAll({talk[0], errors[0]});
    return absl::UnavailableError(
        absl::StrCat("cannot start '", command_, "': ", std::strerror(error)));
  }
  fcntl(talk[0], F_SETFL, O_NONBLOCK);
  fcntl(errors[0], F_SETFL, O_NONBLOCK);
  return Newborn{pid, talk[0], errors[0]};
}

}  // namespace foretell::model::foreign
