#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace foretell::agent {

struct GuardOptions {
  std::function<bool()> interrupted;  // The user asked to stop. Called by the guard's thread.
  bool utf8 = false;                  // Of standard error: what it can show ...
  bool erase_line = false;            // ... and whether a line of progress may stand there.
};

// While it lives, a service that crashes, exhausts the stack, ends the process or does not return
// is named on standard error, with the event and the state, and the process ends with
// kExitViolation. Works for services of MakeWatched (watched_service.h), on any thread. One at a
// time.
class Guard {
 public:
  explicit Guard(GuardOptions options);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  std::thread thread_;
};

// The search that begins now is to end by then. A handler that still runs a while later will not
// return. Without a Guard it means nothing.
void ExpectEnd(std::chrono::steady_clock::time_point end);
// That time has come, or the user asked to stop: whoever waits for a service waits no longer than
// it must. For any thread.
bool IsOver();

}  // namespace foretell::agent
