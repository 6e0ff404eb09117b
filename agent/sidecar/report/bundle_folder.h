#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/config.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/alert.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// Where bundles are written, and how that goes. One thread.
class BundleFolder {
 public:
  // Both outlive this.
  BundleFolder(const Config& config, AgentLog& log) : config_(config), log_(log) {}

  // Every cut, in order, after what it shows was written: the last ones go into the bundles of what
  // has happened.
  void Remember(const snapshot::RecordedSnapshot& snapshot);

  // What has changed since the cut before; empty if none is remembered.
  std::vector<std::string> ChangesSince(const model::Service& service,
                                        const snapshot::RecordedSnapshot& snapshot) const;

  // Fills in where the alert can be seen again; leaves it empty if that is nowhere.
  void Write(const snapshot::RecordedSnapshot& snapshot, Alert& alert);

  // Why the last bundle was not written; OK if it was, or if there was none to be.
  const absl::Status& status() const { return status_; }
  // Bundles in the folder, as of the last that was to be written.
  size_t count() const { return count_; }

 private:
  void Failed(absl::Status status);

  const Config& config_;
  AgentLog& log_;
  absl::Status status_;
  size_t count_ = 0;
  std::deque<snapshot::RecordedSnapshot> earlier_;
};

}  // namespace foretell::agent
