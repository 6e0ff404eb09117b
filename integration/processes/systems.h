#pragma once

// Programs that block, each correct, and with a bug that can be planted.

#include <cstdint>

#include "foretell/model/process/protocol.h"

namespace foretell::integration::processes {

// A server adds up one number from each client and sends the sum to the first. Between messages it
// is only what it has added up (Become).
struct MailboxServer : model::process::ProgramOf<MailboxServer> {
  uint32_t clients = 3;
  bool stops_early = false;
  model::process::Program Make() const;
};

// A fork is a semaphore: a mailbox with one token in it. To take it is to receive.
struct Semaphores : model::process::ProgramOf<Semaphores> {
  uint32_t philosophers = 3;
  bool all_alike = false;
  model::process::Program Make() const;
};

// Nobody goes on before everybody has come, round after round.
struct Barrier : model::process::ProgramOf<Barrier> {
  uint32_t processes = 3;
  uint32_t rounds = 2;
  bool counts_only = false;  // Does not look at who has come.
  model::process::Program Make() const;
};

}  // namespace foretell::integration::processes
