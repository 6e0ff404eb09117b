#pragma once

// A mutex is a mailbox with one value in it, which is what it guards: who locks it takes the value
// out, and unlocks by putting it back. Processes share nothing else.
//
//   uint32_t count = co_await Lock(counter);
//   while (count == 0) count = co_await Await(not_empty, counter, count);
//   co_await Unlock(counter, count - 1);

#include <cstdint>
#include <string>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/program.h"

namespace foretell::model::process {

template <class T>
struct Mutex {
  Mailbox<T> value;
};

template <class T>
Mutex<T> AddMutex(Program& program, const std::string& name, const T& first) {
  const Mutex<T> mutex = {program.AddMailbox<T>(name)};
  program.Put(mutex.value, first);
  return mutex;
}

template <class T>
Task<T> Lock(Mutex<T> mutex) {
  co_return co_await Receive(mutex.value);
}
template <class T>
Task<> Unlock(Mutex<T> mutex, T value) {
  co_await Send(mutex.value, value);
}

// Wakes who waits, in the order in which they began to. A wake-up with nobody waiting is lost, as
// everywhere; nobody wakes without one.
struct Condition {
  Mutex<uint32_t> waiting;  // How many do.
  Mailbox<uint32_t> wakes;
};

Condition AddCondition(Program& program, const std::string& name);

// One more waits: what it waits for, which is posted before anybody else can lock the mutex.
Task<Handle<uint32_t>> BeginToWait(Condition condition);
Task<> NotifyOne(Condition condition);
Task<> NotifyAll(Condition condition);

// Unlocks the mutex, waits to be woken and locks it again: the value that it guards then.
template <class T>
Task<T> Await(Condition condition, Mutex<T> mutex, T value) {
  const Handle<uint32_t> wake = co_await BeginToWait(condition);
  co_await Unlock(mutex, value);
  co_await Wait(wake);
  co_return co_await Lock(mutex);
}

}  // namespace foretell::model::process
