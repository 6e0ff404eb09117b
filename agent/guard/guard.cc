#include "foretell/agent/guard/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/interrupt.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/guard/alarm.h"
#include "foretell/agent/guard/patience.h"
#include "foretell/agent/guard/running.h"
#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Interrupts a handler that does not return. By default it is ignored: one too many does no harm.
// Not SIGURG, which is so as well: a library in Go takes that for itself, and tells nobody.
constexpr int kNudge = SIGWINCH;

std::array<struct sigaction, kFaults.size()> before;
std::atomic<Clock::rep> expected_end{Clock::time_point::max().time_since_epoch().count()};
std::atomic<uint64_t> nudged_turn{0};
constinit thread_local bool is_guard = false;

// What the address of a fault says about it.
const char* CauseOf(int signal, const siginfo_t& info, const WatchedThread& thread) {
  constexpr uintptr_t kNearNull = 64 * 1024;
  constexpr uintptr_t kBelowStack = 1024 * 1024;  // Large frames step over its end.
  if (signal == SIGABRT) return ", an assertion, abort() or an exception that nobody caught";
  if (signal == SIGFPE) return ", a division by zero";
  if (signal != SIGSEGV && signal != SIGBUS) return "";
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  const bool near_stack =
      address + kBelowStack >= thread.stack_end && address < thread.stack_end + kNearNull;
  if (thread.stack_end != 0 && near_stack) return ", the stack is exhausted";
  if (info.si_code == SEGV_MAPERR && address < kNearNull) return ", a null pointer";
  return ", a pointer to nowhere";
}

// Nothing of a service was running: what would have happened without us.
void TakeUsualCourse(int signal) {
  for (size_t i = 0; i < kFaults.size(); ++i) {
    if (kFaults[i] == signal) sigaction(signal, &before[i], nullptr);
  }
  raise(signal);  // Blocked until the handler returns.
}

// Only what is safe in a signal handler may be called.
void OnSignal(int signal, siginfo_t* info, void*) {
  const int error = errno;
  if (is_guard && signal != kNudge) EndPlainly(Raised());
  const WatchedThread* const thread = ThisThreadIfWatched();
  const Running* const running = thread == nullptr ? nullptr : thread->running.load();
  if (signal == kNudge) {
    const bool meant = running != nullptr && thread->turn == nudged_turn;
    if (meant) Raise({.kind = Alarm::Kind::kStuck, .running = running});
  } else if (running == nullptr) {
    TakeUsualCourse(signal);
  } else {
    Raise({.running = running, .signal = signal, .cause = CauseOf(signal, *info, *thread)});
  }
  errno = error;
}

void OnEnd(const Running& running) { Raise({.kind = Alarm::Kind::kExit, .running = &running}); }

// Whether the thread waits for something else than a processor or a disk.
bool Asleep(pid_t thread) {
  std::ifstream file(absl::StrCat("/proc/self/task/", thread, "/stat"));
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(") ");
  return name_end != std::string::npos && line.substr(name_end + 2, 1) == "S";
}

Glance Look(const WatchedThread& thread) {
  struct timespec time = {};
  clock_gettime(thread.processor_time, &time);
  return {
      .turn = thread.turn,
      .processor_time = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec),
      .asleep = Asleep(thread.id)};
}

// The guard's thread.
class Watch {
 public:
  Watch(GuardOptions options, int bell) : options_(std::move(options)), bell_(bell) {}

  void Run() {
    is_guard = true;
    ThisThread();  // For its signal stack.
    for (;;) {
      struct pollfd waiting = {bell_, POLLIN, 0};
      const int rung = poll(&waiting, 1, static_cast<int>(Patience::kPause.count()));
      char stroke = 0;
      if (rung <= 0) {
        LookAtAll();
      } else if (read(bell_, &stroke, 1) == 1 && stroke == '!') {
        Tell();
      } else {
        close(bell_);
        return;
      }
    }
  }

 private:
  // A thread that does not react to its nudge has signals blocked.
  static constexpr int kNudgesMax = 50;

  struct Known {
    Patience patience;
    int nudges = 0;
  };

  void LookAtAll() {
    const bool over = Clock::now().time_since_epoch().count() >= expected_end ||
                      (options_.interrupted && options_.interrupted());
    ForEachThread([&](WatchedThread& thread) {
      if (thread.running.load() == nullptr) {
        known_.erase(thread.id);
        return;
      }
      Known& known = known_[thread.id];
      const Glance glance = Look(thread);
      if (!known.patience.Exhausted(glance, over)) return;
      if (++known.nudges > kNudgesMax) EndPlainly({.kind = Alarm::Kind::kStuck});
      nudged_turn = glance.turn;
      pthread_kill(thread.thread, kNudge);
    });
  }

  [[noreturn]] void Tell() {
    const std::string text = absl::StrCat(options_.erase_line ? "\r\x1b[2K" : "",
                                          Printable(TextOf(Raised()), options_.utf8), "\n");
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    _exit(kExitViolation);
  }

  const GuardOptions options_;
  const int bell_;
  std::map<pid_t, Known> known_;
};

int bell_write_end = -1;

}  // namespace

Guard::Guard(GuardOptions options) {
  FORETELL_CHECK(!HasBell());
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return;  // Then it is as if there were no guard.
  bell_write_end = ends[1];
  // Signals are for others, but for its own faults.
  sigset_t all;
  sigset_t own;
  sigfillset(&all);
  for (const int fault : kFaults) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &own);
  thread_ = std::thread([options = std::move(options), bell = ends[0]]() mutable {
    Watch(std::move(options), bell).Run();
  });
  pthread_sigmask(SIG_SETMASK, &own, nullptr);
  SetBell(bell_write_end);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &action, &before[i]);
  sigaction(kNudge, &action, nullptr);
  SetEndHook(OnEnd);
}

Guard::~Guard() {
  if (!thread_.joinable()) return;
  SetEndHook(nullptr);
  SetBell(-1);
  for (size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &before[i], nullptr);
  signal(kNudge, SIG_DFL);
  close(bell_write_end);  // Which the thread takes for its end.
  thread_.join();
}

void ExpectEnd(Clock::time_point end) { expected_end = end.time_since_epoch().count(); }

bool IsOver() { return Clock::now().time_since_epoch().count() >= expected_end || InterruptSeen(); }

}  // namespace foretell::agent
