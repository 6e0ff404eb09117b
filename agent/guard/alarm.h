#pragma once

// The way of a fault from the thread that had it to the guard's thread. What is here is global and
// touches no memory that is not there yet: a signal handler uses it.

#include <cstdint>
#include <string>

#include "foretell/agent/guard/running.h"

namespace foretell::agent {

struct Alarm {
  enum class Kind : uint8_t { kCrash, kExit, kStuck };
  Kind kind = Kind::kCrash;
  const Running* running = nullptr;
  int signal = 0;          // kCrash.
  const char* cause = "";  // kCrash: ", a null pointer" and the like.
};

// Hands `alarm` to whoever reads the other end of `bell` and waits for it to end the process. If it
// does not, writes what can be said without asking the service, and ends it. `alarm.running` is of
// the calling thread. Of several threads only the first is heard.
[[noreturn]] void Raise(const Alarm& alarm);
// Ends the process with the few words that take no memory.
[[noreturn]] void EndPlainly(const Alarm& alarm);

// The end of a pipe that Raise writes to; -1: nobody listens.
void SetBell(int bell);
bool HasBell();
// What was raised. For who was rung.
const Alarm& Raised();

// The whole report, for people.
std::string TextOf(const Alarm& alarm);

}  // namespace foretell::agent
