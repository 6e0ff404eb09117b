#include "foretell/agent/guard/running.h"

#include <time.h>
#include <unistd.h>

#include <set>

#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

// Room for a signal handler with all registers that a processor may have, several times over.
constexpr size_t kSignalStackBytes = 64 * 1024;

struct Threads {
  model::Mutex mutex;
  std::set<WatchedThread*> all ABSL_GUARDED_BY(mutex);
};

// Threads may end after main() has returned.
Threads& AllThreads() {
  static Threads* const threads = new Threads;
  return *threads;
}

// Initialised without code, so that a signal handler may read it.
constinit thread_local WatchedThread* this_thread = nullptr;

std::atomic<void (*)(const Running&)> end_hook{nullptr};

void Describe(WatchedThread& thread) {
  thread.thread = pthread_self();
  thread.id = gettid();
  pthread_getcpuclockid(thread.thread, &thread.processor_time);
  pthread_attr_t attributes;
  if (pthread_getattr_np(thread.thread, &attributes) == 0) {
    void* end = nullptr;
    size_t size = 0;
    pthread_attr_getstack(&attributes, &end, &size);
    thread.stack_end = reinterpret_cast<uintptr_t>(end);
    pthread_attr_destroy(&attributes);
  }
}

// Ends with its thread.
class Registered {
 public:
  Registered() {
    Describe(thread_);
    thread_.signal_stack = std::make_unique<char[]>(kSignalStackBytes);
    stack_t stack = {};
    stack.ss_sp = thread_.signal_stack.get();
    stack.ss_size = kSignalStackBytes;
    sigaltstack(&stack, &thread_.stack_before);
    this_thread = &thread_;
    const model::MutexLock lock(AllThreads().mutex);
    AllThreads().all.insert(&thread_);
  }
  ~Registered() {
    // Where exit() is called, variables of the thread go before anything else.
    const Running* const running = thread_.running;
    const auto hook = end_hook.load();
    if (running != nullptr && hook != nullptr) hook(*running);
    {
      const model::MutexLock lock(AllThreads().mutex);
      AllThreads().all.erase(&thread_);
    }
    this_thread = nullptr;
    sigaltstack(&thread_.stack_before, nullptr);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

  WatchedThread& thread() { return thread_; }

 private:
  WatchedThread thread_;
};

WatchedThread& Register() {
  static thread_local Registered registered;
  return registered.thread();
}

}  // namespace

WatchedThread& ThisThread() { return this_thread != nullptr ? *this_thread : Register(); }

WatchedThread* ThisThreadIfWatched() { return this_thread; }

void SetEndHook(void (*hook)(const Running& running)) { end_hook = hook; }

void ForEachThread(const std::function<void(WatchedThread&)>& visit) {
  const model::MutexLock lock(AllThreads().mutex);
  for (WatchedThread* const thread : AllThreads().all) visit(*thread);
}

}  // namespace foretell::agent
