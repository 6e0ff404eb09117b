#pragma once

// The four primitives, as coroutines await them, and what they are made of:
//
//   Task<> Server(Mailbox<int> box) {
//     const auto handle = co_await Recv(box);      // Posts; does not block.
//     const int value = co_await Wait(handle);     // Blocks until a Send has met it.
//     Assert(value > 0, "a positive number");
//   }
//
// Mind the rules of model/process/task.h.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/process/task.h"
#include "foretell/model/process/value.h"

namespace foretell::model::process {

// Where values of type T are exchanged.
template <class T>
struct Mailbox {
  std::string name;
};

// A post of the process that made it; good for one successful Wait or Test. T: what it receives;
// void if it sends.
template <class T = void>
struct Handle {
  uint32_t post = 0;
};

// Breaks the process, and is what a check reports.
class AssertionFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline void Assert(bool condition, const std::string& text) {
  if (!condition) throw AssertionFailed(text);
}

// What a sender sent is not what the receiver takes it for.
template <class T>
T ParseValue(const std::string& text) {
  std::optional<T> value = FromText<T>(text);
  if (!value) throw AssertionFailed("received '" + text + "', which is not of the mailbox's type");
  return *std::move(value);
}

// All awaitables: how a request is made. They are plain values, made and awaited in one expression.
struct Asking {
  Exchange* exchange = nullptr;
  bool await_ready() const noexcept { return false; }

 protected:
  template <class Promise>
  void Suspend(std::coroutine_handle<Promise> frame) {
    exchange = frame.promise().exchange;
    exchange->at = frame;
  }
};

template <class T>
struct SendAwaitable : Asking {
  SendRequest request;
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    Suspend(frame);
    request.buffered = exchange->buffered;
    exchange->request = std::move(request);
  }
  Handle<> await_resume() const { return {exchange->posts++}; }
};
template <class T>
SendAwaitable<T> Send(const Mailbox<T>& box, const T& value) {
  SendAwaitable<T> awaitable;
  awaitable.request.to = box.name;
  awaitable.request.value = ToText(value);
  return awaitable;
}

template <class T>
struct RecvAwaitable : Asking {
  RecvRequest request;
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    Suspend(frame);
    exchange->request = std::move(request);
  }
  Handle<T> await_resume() const { return {exchange->posts++}; }
};
template <class T>
RecvAwaitable<T> Recv(const Mailbox<T>& box) {
  RecvAwaitable<T> awaitable;
  awaitable.request.from.push_back(box.name);
  return awaitable;
}
// From any of several mailboxes: whichever has something, or gets something first.
template <class T>
RecvAwaitable<T> RecvAny(const std::vector<Mailbox<T>>& boxes) {
  RecvAwaitable<T> awaitable;
  for (const Mailbox<T>& box : boxes) awaitable.request.from.push_back(box.name);
  return awaitable;
}

// What one of several posts came to.
template <class T>
struct Picked {
  uint32_t index = 0;  // Among the handles.
  T value{};
  uint32_t mailbox = 0;  // Among those of its RecvAny.
};
template <>
struct Picked<void> {
  uint32_t index = 0;
};

struct LookAwaitable : Asking {
  std::vector<uint32_t> posts;

 protected:
  // Null for a request that was answered in vain.
  const Completed* Look() const { return std::get_if<Completed>(&exchange->result); }
};

template <class T>
Picked<T> PickedOf(const Completed& completed) {
  if constexpr (std::is_void_v<T>) {
    return {completed.index};
  } else {
    return {completed.index, ParseValue<T>(completed.value), completed.mailbox};
  }
}

template <class T>
struct WaitAnyAwaitable : LookAwaitable {
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    this->Suspend(frame);
    this->exchange->request = WaitRequest{this->posts, 0};
  }
  Picked<T> await_resume() const { return PickedOf<T>(*this->Look()); }
};
template <class T>
WaitAnyAwaitable<T> WaitAny(const std::vector<Handle<T>>& handles) {
  WaitAnyAwaitable<T> awaitable;
  for (const Handle<T>& handle : handles) awaitable.posts.push_back(handle.post);
  return awaitable;
}

template <class T>
struct WaitAwaitable : WaitAnyAwaitable<T> {
  T await_resume() const {
    if constexpr (!std::is_void_v<T>) return PickedOf<T>(*this->Look()).value;
  }
};
template <class T>
WaitAwaitable<T> Wait(const Handle<T>& handle) {
  WaitAwaitable<T> awaitable;
  awaitable.posts.push_back(handle.post);
  return awaitable;
}

// Waits, and may give up: nothing then. The request stays posted.
template <class T>
struct WaitForAwaitable : LookAwaitable {
  uint32_t millis = 1;
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    this->Suspend(frame);
    this->exchange->request = WaitRequest{this->posts, millis};
  }
  std::optional<Picked<T>> await_resume() const {
    const Completed* const completed = this->Look();
    if (completed == nullptr) return std::nullopt;
    return PickedOf<T>(*completed);
  }
};
template <class T>
WaitForAwaitable<T> WaitFor(const Handle<T>& handle, std::chrono::milliseconds at_most) {
  WaitForAwaitable<T> awaitable;
  awaitable.millis = static_cast<uint32_t>(std::clamp<int64_t>(at_most.count(), 1, UINT32_MAX));
  awaitable.posts.push_back(handle.post);
  return awaitable;
}

// Whether one of them is done, without blocking: nothing if none is.
template <class T>
struct TestAwaitable : WaitForAwaitable<T> {
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    this->Suspend(frame);
    this->exchange->request = TestRequest{this->posts, {}};
  }
};
template <class T>
TestAwaitable<T> Test(const Handle<T>& handle) {
  TestAwaitable<T> awaitable;
  awaitable.posts.push_back(handle.post);
  return awaitable;
}
template <class T>
TestAwaitable<T> TestAny(const std::vector<Handle<T>>& handles) {
  TestAwaitable<T> awaitable;
  for (const Handle<T>& handle : handles) awaitable.posts.push_back(handle.post);
  return awaitable;
}

// Goes on as a function of the program (Program::Continue) and forgets all else: frames, locals,
// handles. Nothing can survive but the argument, so that the history before does not matter any
// more. Does not return.
struct BecomeAwaitable {
  Continuation next;
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> frame) {
    frame.promise().exchange->becomes = std::move(next);
  }
  void await_resume() const noexcept {}
};
template <class T>
BecomeAwaitable Become(const std::string& name, const T& argument) {
  BecomeAwaitable awaitable;
  awaitable.next.name = name;
  awaitable.next.argument = ToText(argument);
  return awaitable;
}

}  // namespace foretell::model::process
