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

// A mailbox as one receiver sees it, who may give up: what comes too late for one Receive is what
// the next one gets, and nothing is lost.
template <class T>
struct Inbox {
  Mailbox<T> box;
  std::optional<Handle<T>> open = std::nullopt;  // Posted, and nothing has come yet.
};

// Nothing if there was nothing by then. The inbox outlives the call: a local of who awaits it.
template <class T>
Task<std::optional<T>> Receive(Inbox<T>* inbox, std::chrono::milliseconds at_most) {
  if (!inbox->open) inbox->open = co_await Recv(inbox->box);
  const auto received = co_await WaitFor(*inbox->open, at_most);
  if (!received) co_return std::nullopt;
  inbox->open.reset();
  co_return received->value;
}

}  // namespace foretell::model::process
