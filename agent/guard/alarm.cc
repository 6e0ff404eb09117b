#include "foretell/agent/guard/alarm.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/guard/where.h"

namespace foretell::agent {
namespace {

// For the guard's thread to describe the fault; it has to ask the service for texts.
constexpr int kWaitMillis = 5000;

std::atomic<int> bell_end{-1};
std::atomic<bool> raised{false};
Alarm alarm_raised;

void Put(const char* text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

void PutNumber(uint32_t number) {
  char digits[16];
  char* at = digits + sizeof(digits) - 1;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  Put(at);
}

const char* Fault(Alarm::Kind kind) {
  switch (kind) {
    case Alarm::Kind::kCrash: return "crashed: ";
    case Alarm::Kind::kExit: return "ended the process (exit)";
    case Alarm::Kind::kStuck: return "does not return";
  }
  return "";
}

}  // namespace

void SetBell(int bell) { bell_end = bell; }
bool HasBell() { return bell_end >= 0; }
const Alarm& Raised() { return alarm_raised; }

void Raise(const Alarm& alarm) {
  while (raised.exchange(true)) pause();
  alarm_raised = alarm;
  [[maybe_unused]] const ssize_t rung = write(bell_end, "!", 1);
  constexpr int kPieceMillis = 100;  // A signal would end a longer wait.
  for (int waited = 0; waited < kWaitMillis; waited += kPieceMillis) poll(nullptr, 0, kPieceMillis);
  EndPlainly(alarm);
}

void EndPlainly(const Alarm& alarm) {
  Put("foretell: ");
  if (alarm.running != nullptr && alarm.running->name != nullptr) {
    Put(alarm.running->name->c_str());
    Put(": code of it at node ");
    PutNumber(alarm.running->node.value());
  } else {
    Put("code of a service");
  }
  Put(" ");
  Put(Fault(alarm.kind));
  if (alarm.kind == Alarm::Kind::kCrash) {
    Put("signal ");
    PutNumber(static_cast<uint32_t>(alarm.signal));
    Put(alarm.cause);
  }
  Put("; more could not be found out\n");
  _exit(kExitViolation);
}

std::string TextOf(const Alarm& alarm) {
  const Running& running = *alarm.running;
  std::string text =
      absl::StrCat("foretell: ", *running.name, ": ", Where(running), " ", Fault(alarm.kind));
  if (alarm.kind == Alarm::Kind::kCrash) {
    absl::StrAppend(&text, "SIG", sigabbrev_np(alarm.signal), alarm.cause);
  }
  const std::string state = StateText(running);
  if (state.empty()) return text;
  return absl::StrCat(text, "; before that, node ", running.node.value(), " had ", state);
}

}  // namespace foretell::agent
