#pragma once

// Locks as mailboxes: a token for each unit that is free. To acquire is to receive one, which is a
// post and a Wait, so that nothing is ever disabled; to release is to post one and not to wait.

#include <cstdint>
#include <string>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/program.h"

namespace foretell::model::process {

struct Semaphore {
  Mailbox<uint32_t> tokens;
};

// With `count` tokens to begin with.
Semaphore AddSemaphore(Program& program, const std::string& name, uint32_t count);

// Blocks until there is a token, and takes it.
Task<> Acquire(Semaphore semaphore);
Task<> Release(Semaphore semaphore);

}  // namespace foretell::model::process
