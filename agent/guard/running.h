#pragma once

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "foretell/model/event.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// Code of a service that runs now. Lives on the stack of who runs it.
struct Running {
  enum class What : uint8_t {
    kMake,  // Whatever makes the service and the start of its scenario.
    kInitial,
    kActions,
    kHandler,
    kProjection,
    kInvariant,
    kGoal,
    kDriver,
    kOther,  // Texts and tests of bytes.
  };
  What what = What::kOther;
  const std::string* name = nullptr;        // Of the service.
  const model::Service* service = nullptr;  // Not of kMake.
  model::NodeId node{0};                    // kInitial to kProjection, kGoal.
  const std::string* state = nullptr;       // kActions to kProjection, kGoal.
  std::span<const model::Event> events;     // kHandler.
  size_t index = 0;                         // Of the invariant or goal.
};

// A thread that has run something of a service. Others may read what is atomic, and what never
// changes.
struct WatchedThread {
  std::atomic<const Running*> running{nullptr};
  // Changes whenever `running` does: who sees the same number twice saw the same run.
  std::atomic<uint64_t> turn{0};
  pthread_t thread{};
  pid_t id = 0;
  clockid_t processor_time{};
  uintptr_t stack_end = 0;  // Its lowest address.
  std::unique_ptr<char[]> signal_stack;
  stack_t stack_before{};
};

// The calling thread, with a stack for signals from the first call on.
WatchedThread& ThisThread();
// The same, or null if it never ran anything of a service. Safe in a signal handler.
WatchedThread* ThisThreadIfWatched();
// Calls `visit` for all of them; none begins or ends meanwhile.
void ForEachThread(const std::function<void(WatchedThread&)>& visit);

// Calls `hook` on a thread that ends in the middle of a run, be it by exit(); null: nobody.
void SetEndHook(void (*hook)(const Running& running));

// Notes what the calling thread runs, to the end of the scope.
class Noted {
 public:
  explicit Noted(const Running& running)
      : thread_(ThisThread()), outer_(thread_.running.load(std::memory_order_relaxed)) {
    Turn(&running);
  }
  ~Noted() { Turn(outer_); }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

 private:
  // Only the thread itself writes.
  void Turn(const Running* running) {
    const uint64_t turn = thread_.turn.load(std::memory_order_relaxed);
    thread_.turn.store(turn + 1, std::memory_order_relaxed);
    thread_.running.store(running, std::memory_order_release);
  }

  WatchedThread& thread_;
  const Running* const outer_;
};

}  // namespace foretell::agent
