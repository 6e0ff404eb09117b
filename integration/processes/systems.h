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

// Four processes on a grid of two by two exchange values with the neighbours in their row and in
// their column.
struct Halo : model::process::ProgramOf<Halo> {
  bool buffered = false;
  bool sends_first = false;
  model::process::Program Make() const;
};

// A fork is a semaphore: a mailbox with one token in it. To take it is to receive.
struct Semaphores : model::process::ProgramOf<Semaphores> {
  uint32_t philosophers = 3;
  bool all_alike = false;
  model::process::Program Make() const;
};

}  // namespace foretell::integration::processes
