#pragma once

namespace foretell::agent {

// Requests to an agent by signal, while this exists: SIGTERM to stop, SIGUSR1 to throw the
// kill switch, SIGUSR2 to release it, SIGHUP to read the configuration again and to open files
// anew. SIGPIPE means nothing. One at a time.
class AgentSignals {
 public:
  AgentSignals();
  ~AgentSignals();
  AgentSignals(const AgentSignals&) = delete;
  AgentSignals& operator=(const AgentSignals&) = delete;

  bool stop() const;
  bool kill() const;
  bool TakeHangup();  // True once per SIGHUP, or several of them.
};

}  // namespace foretell::agent
