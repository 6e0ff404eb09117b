#pragma once

// Processes as coroutines: `Task<> Server(Mailbox<int> box)` is a process or a part of one, and
// `co_await` of another task runs that part.
//
// GCC 12 miscompiles some temporaries inside the operand of co_await (GCC bugs 95599 and others:
// destroyed twice, or never). The rules, which tests/tidy keeps:
//   - what is awaited is a call that returns a plain aggregate of values, or a task;
//   - no lambda, no braces and no ?: in the operand: name what is needed in a line of its own
//     before.
// Parameters of a coroutine are values: a reference to what its caller forgets is a dangling one.

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "foretell/model/process/request.h"

namespace foretell::model::process {

// What a process goes on as, once it has forgotten all else: a function of the program and its
// argument.
struct Continuation {
  std::string name;  // Empty: the process from its beginning.
  std::string argument;
  uint32_t posts = 0;  // How many it has posted so far; 0 again if none of them is open.
  friend bool operator==(const Continuation&, const Continuation&) = default;
  FORETELL_FIELDS(name, argument, posts)
};

// What the frames of one process share with whoever runs it.
struct Exchange {
  std::coroutine_handle<> at;  // Goes on here.
  Request request = EndRequest();
  Result result = Posted();
  uint32_t posts = 0;
  std::optional<Continuation> becomes;
  bool buffered = false;
};

struct PromiseBase {
  Exchange* exchange = nullptr;
  std::coroutine_handle<> caller = std::noop_coroutine();
  std::exception_ptr thrown;

  std::suspend_always initial_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { thrown = std::current_exception(); }
  struct ToCaller {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      return self.promise().caller;
    }
    void await_resume() const noexcept {}
  };
  ToCaller final_suspend() const noexcept { return {}; }
};

template <class T>
struct TaskPromise : PromiseBase {
  std::optional<T> value;
  void return_value(T returned) { value = std::move(returned); }
};
template <>
struct TaskPromise<void> : PromiseBase {
  void return_void() const noexcept {}
};

template <class T = void>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskPromise<T> {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~Task() {
    if (frame_) frame_.destroy();
  }

  // As a part of another task.
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> caller) noexcept {
    frame_.promise().exchange = caller.promise().exchange;
    frame_.promise().caller = caller;
    return frame_;
  }
  T await_resume() {
    if (frame_.promise().thrown) std::rethrow_exception(frame_.promise().thrown);
    if constexpr (!std::is_void_v<T>) return std::move(*frame_.promise().value);
  }

  // As a whole process.
  void Attach(Exchange& exchange) {
    frame_.promise().exchange = &exchange;
    exchange.at = frame_;
  }
  bool done() const { return frame_.done(); }
  // Throws what the coroutine threw. REQUIRES: done.
  void Rethrow() const {
    if (frame_.promise().thrown) std::rethrow_exception(frame_.promise().thrown);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

}  // namespace foretell::model::process
