#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/cluster.h"
#include "foretell/agent/demo/cluster_clock.h"

namespace foretell::agent {

// A replicated register that returns what was overwritten, acted out by four real processes: a
// write is over while one replica is cut off; then that replica is the first to answer a read, and
// the reader, which is hasty, asks no further. Time is the cluster's own and waits for the agent.
struct RegisterDemoOptions {
  std::string program;  // Of foretell.
  std::string folder;   // For sockets and logs; exists.
  uint64_t seed = 1;
  std::string bug = "hasty-reader";
  std::string mode;                                   // Of the agent: "observe", "enforce".
  std::string agent_config;                           // Beyond service, nodes, rounds and modes.
  std::function<void(const std::string& line)> tell;  // May be empty.
};

struct RegisterDemoResult {
  uint32_t reads = 0;    // That were over,
  uint32_t stale = 0;    // and returned something else than what was written before they began.
  uint32_t refused = 0;  // Reads that the node would not begin, each counted once.
  uint64_t vetoed = 0;   // Events that nodes did not let happen.
  // The first prediction, if it came before a read was stale.
  struct Prediction {
    uint32_t steps_away = 0;
    std::string text;
    std::string bundle;
  };
  std::optional<Prediction> predicted;
};

class RegisterDemo {
 public:
  static absl::StatusOr<RegisterDemoResult> Run(RegisterDemoOptions options);

 private:
  explicit RegisterDemo(RegisterDemoOptions options) : options_(std::move(options)) {}
  absl::Status StartAll();
  absl::Status CutOff();     // One replica hears nothing; a first write is over.
  absl::Status Hurry();      // It is back, and quicker than the others.
  absl::Status ReadOld();    // The application reads.
  absl::Status Overwrite();  // The network is well again: another write, which all hear of.
  absl::Status ReadNew();

  absl::Status Write(const std::string& value);
  // A read that is refused is tried again for `patience`.
  absl::Status Read(const std::string& expected, std::chrono::milliseconds patience);
  absl::StatusOr<bool> BeginRead(std::chrono::milliseconds patience);
  absl::Status Faults(size_t node, const std::string& words);
  void Tell(const std::string& line);
  void OnAgentEvent(const std::string& name, const nlohmann::json& event);
  // Lets time pass until node 0 answers `question` with `answer`, or `most` is over; the agent
  // looks after every step.
  absl::StatusOr<bool> PassUntil(std::chrono::milliseconds most, const std::string& question,
                                 const std::string& answer);

  RegisterDemoOptions options_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<ClusterClock> clock_;
  std::unique_ptr<AgentFeed> agent_;
  uint32_t writes_ = 0;
  uint32_t begun_ = 0;  // Reads.
  RegisterDemoResult result_;
};

}  // namespace foretell::agent
