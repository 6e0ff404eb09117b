#pragma once

// Random programs of processes, small enough to try everything, as plain data: they can be printed
// and made smaller. The same seed is the same program on every machine.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/process/program.h"

namespace foretell::model::process::random {

enum class Op : uint8_t { kSend, kRecv, kWaitOldest, kWaitAny, kTest };

// Done if it makes sense at the moment, else passed over: a Wait with nothing open, for example.
// After a Test that fails the next one is left out: what is done depends on the answer.
struct Instruction {
  Op op = Op::kSend;
  std::vector<std::string> mailboxes;  // kSend, kRecv.
  bool buffered = false;               // kSend.
  bool expires = false;                // kWaitOldest, kWaitAny: may give up.
  std::string refuses;                 // A value that breaks the process when it gets it here.
};

struct ProgramSpec {
  std::vector<std::string> contents;  // Mailboxes with a value from the beginning.
  std::vector<std::vector<Instruction>> processes;
};

// What there is in a program beside receives from one mailbox and sends that wait for them.
struct Shape {
  bool several = false;   // Some receives are for two mailboxes.
  bool buffered = false;  // Some sends are done at once.
  bool expires = false;   // Some Waits may give up.
  bool refuses = false;   // Some values break who gets them.
  bool contents = false;  // Some mailboxes have values from the beginning.
};

ProgramSpec DrawProgram(uint64_t seed, const Shape& shape);
Program MakeProgram(const ProgramSpec& spec);
inline Program RandomProgram(uint64_t seed, const Shape& shape) {
  return MakeProgram(DrawProgram(seed, shape));
}
// A line for each process: "p0: Send(a), Recv(a|b), WaitAny refuses 203"; one more for contents.
std::vector<std::string> Describe(const ProgramSpec& spec);

}  // namespace foretell::model::process::random
