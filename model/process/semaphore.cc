#include "foretell/model/process/semaphore.h"

namespace foretell::model::process {

Semaphore AddSemaphore(Program& program, const std::string& name, uint32_t count) {
  const Semaphore semaphore{program.AddMailbox<uint32_t>(name)};
  const uint32_t token = 1;
  for (uint32_t i = 0; i < count; ++i) program.Put(semaphore.tokens, token);
  return semaphore;
}

Task<> Acquire(Semaphore semaphore) { co_await Receive(semaphore.tokens); }

Task<> Release(Semaphore semaphore) {
  const uint32_t token = 1;
  co_await Send(semaphore.tokens, token);
}

}  // namespace foretell::model::process
