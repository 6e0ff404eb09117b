#pragma once

// Sending and receiving as most programs do it: MSG's send and receive are a post and a Wait, on
// both sides.

#include <chrono>
#include <optional>

#include "foretell/model/process/primitives.h"

namespace foretell::model::process {

// Ends when somebody receives it, or at once if sends are buffered.
template <class T>
Task<> SendTo(Mailbox<T> box, T value) {
  const Handle<> handle = co_await Send(box, value);
  co_await Wait(handle);
}

template <class T>
Task<T> Receive(Mailbox<T> box) {
  const Handle<T> handle = co_await Recv(box);
  co_return co_await Wait(handle);
}

// With a time limit: false if nobody has received it by then. It stays posted.
template <class T>
Task<bool> SendTo(Mailbox<T> box, T value, std::chrono::milliseconds at_most) {
  const Handle<> handle = co_await Send(box, value);
  const auto sent = co_await WaitFor(handle, at_most);
  co_return sent.has_value();
}

// Nothing if there was nothing by then. The request stays posted: what comes later is taken by it,
// and lost.
template <class T>
Task<std::optional<T>> Receive(Mailbox<T> box, std::chrono::milliseconds at_most) {
  const Handle<T> handle = co_await Recv(box);
  const auto received = co_await WaitFor(handle, at_most);
  if (!received) co_return std::nullopt;
  co_return received->value;
}

}  // namespace foretell::model::process
