#include "foretell/model/process/mutex.h"

#include <algorithm>

namespace foretell::model::process {
namespace {

Task<> Notify(Condition condition, uint32_t at_most) {
  const uint32_t waiting = co_await Lock(condition.waiting);
  const uint32_t woken = std::min(waiting, at_most);
  const uint32_t wake = 1;
  for (uint32_t i = 0; i < woken; ++i) co_await Send(condition.wakes, wake);
  const uint32_t left = waiting - woken;
  co_await Unlock(condition.waiting, left);
}

}  // namespace

Condition AddCondition(Program& program, const std::string& name) {
  const uint32_t nobody = 0;
  return {AddMutex(program, name + " waiting", nobody), program.AddMailbox<uint32_t>(name)};
}

Task<Handle<uint32_t>> BeginToWait(Condition condition) {
  const uint32_t waiting = co_await Lock(condition.waiting);
  const Handle<uint32_t> wake = co_await Recv(condition.wakes);
  const uint32_t now = waiting + 1;
  co_await Unlock(condition.waiting, now);
  co_return wake;
}

Task<> NotifyOne(Condition condition) { return Notify(condition, 1); }

Task<> NotifyAll(Condition condition) { return Notify(condition, UINT32_MAX); }

}  // namespace foretell::model::process
