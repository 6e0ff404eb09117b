#pragma once

namespace foretell::agent {

// Requests to an agent by signal, while this exists: SIGTERM to stop, SIGUSR1 to throw the
// kill switch, SIGUSR2 to release it. SIGHUP and SIGPIPE mean nothing. One at a time.
class AgentSignals {
 public:
  AgentSignals();
  ~AgentSignals();
  AgentSignals(const AgentSignals&) = delete;
  AgentSignals& operator=(const AgentSignals&) = delete;

  bool stop() const;
  bool kill() const;
};

}  // namespace foretell::agent
