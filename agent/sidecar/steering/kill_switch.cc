#include "foretell/agent/sidecar/steering/kill_switch.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace foretell::agent {

KillSwitch::KillSwitch(Options options) : options_(std::move(options)) {
  // What is already thrown when the agent starts must hold before its first round.
  reason_ = Look();
  thread_ = std::thread([this] { Watch(); });
}

KillSwitch::~KillSwitch() {
  {
    const model::MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.NotifyAll();
  thread_.join();
}

void KillSwitch::Throw(const std::string& reason) {
  {
    const model::MutexLock lock(mutex_);
    by_rpc_ = reason.empty() ? "by RPC" : "by RPC: " + reason;
    reason_ = by_rpc_;  // At once: the round that is on must not veto any more.
  }
  wake_.NotifyAll();
}

void KillSwitch::Release() {
  {
    const model::MutexLock lock(mutex_);
    by_rpc_.clear();
  }
  wake_.NotifyAll();
}

std::string KillSwitch::reason() const {
  const model::MutexLock lock(mutex_);
  return reason_;
}

std::string KillSwitch::Look() const {
  if (!by_rpc_.empty()) return by_rpc_;
  if (options_.signalled && options_.signalled()) return "by signal";
  if (options_.file.empty()) return "";
  if (access(options_.file.c_str(), F_OK) == 0) return "by file " + options_.file;
  if (errno == ENOENT || errno == ENOTDIR) return "";
  // Somebody may want us to stop, and we cannot see it.
  return "by file " + options_.file + ", which cannot be looked for: " + std::strerror(errno);
}

void KillSwitch::Watch() {
  std::string told;
  model::MutexLock lock(mutex_);
  while (!stop_) {
    reason_ = Look();
    if (reason_ != told) {
      told = reason_;
      lock.Unlock();
      options_.changed(told);
      lock.Lock();
      continue;
    }
    wake_.WaitFor(mutex_, options_.poll);
  }
}

}  // namespace foretell::agent
