#pragma once

// A cluster and an agent that a test moves by hand.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "foretell/agent/demo/child_process.h"
#include "foretell/agent/demo/cluster.h"
#include "foretell/tests/live/live_run.h"

namespace foretell::live {

// An agent process whose events and log a test looks at.
class LiveAgent {
 public:
  // `config` in full. `wrapper` comes before the program: {"/bin/sh", "-c", ...}.
  LiveAgent(const std::string& folder, const std::string& config,
            const std::vector<std::string>& wrapper = {});

  // Reads events until one satisfies `wanted`; false if the agent hangs or ends
  // first, or has had some thousand rounds meanwhile.
  using Wanted = std::function<bool(const std::string& line)>;
  bool WaitFor(const Wanted& wanted);
  // The next `count` rounds.
  bool WaitForRounds(int count);
  // Lets rounds go by, if there are any, until the agent's log has `text`.
  bool WaitForLog(const std::string& text);
  // Until somebody's log has it.
  bool WaitForText(const std::function<std::string()>& log, const std::string& text);
  std::string log() const;
  agent::ChildProcess& process() { return *process_; }

 private:
  std::string log_path_;
  std::unique_ptr<agent::ChildProcess> process_;
};

struct LiveOptions {
  std::string service = "paxos";
  std::string scenario = {};  // Empty: the live one.
  std::string bug;
  size_t node_count = 3;
  bool stepped = false;
  bool store = false;
  bool agent_tcp = false;
  std::vector<std::string> node_flags;
};

// Nodes and their folder.
struct LiveCluster {
  explicit LiveCluster(const LiveOptions& options);
  // A configuration for an agent of this cluster with rounds every 100 ms.
  std::string Config(const std::string& more = "") const;
  // Whether a call at `node` is answered with ok.
  bool Works(size_t node);

  RunFolder folder;
  std::unique_ptr<agent::Cluster> nodes;
};

}  // namespace foretell::live
