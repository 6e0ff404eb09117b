#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/storage/line_file.h"

namespace foretell::agent {

// One decision about a veto, for whoever asks later what the agent did and why.
struct AuditEntry {
  // "applied", "removed", "expired" and "refused" are about one veto (renewals are not written,
  // they come every round); "no plan" says that none was found; "killed" and "revived" are about
  // all, and so are "fallen back" (from enforce to shadow: too many) and "enforcing again".
  // "taken over" is one veto of an earlier life of this agent, "found" all that it has left,
  // "another agent" one that steers as well.
  std::string action;
  std::string decision;  // Empty for what concerns no single decision.
  std::string invariant;
  std::string mode;
  std::string why;                   // One sentence.
  std::vector<std::string> filters;  // In words.
  std::vector<std::string> path;     // In words.
  std::vector<std::string> assumes;  // Faults that it is against and that have not happened.
  uint64_t snapshot = 0;             // Its number.
  std::string snapshot_hash;
};

// One JSON object per line, on disk before Write returns, in a file with a cap (LineFile). Never
// changes what is there. A file that cannot be written to is reported and the agent goes on without
// vetoes. Thread-safe.
class AuditLog {
 public:
  struct Options {
    std::string path;
    uint64_t size_max = uint64_t{64} << 20;
    uint32_t files_max = 16;
  };
  // `now` gives the wall clock.
  static absl::StatusOr<std::unique_ptr<AuditLog>> Open(const Options& options,
                                                        std::string config_hash,
                                                        std::function<UnixTime()> now);

  absl::Status Write(const AuditEntry& entry);

 private:
  AuditLog(std::unique_ptr<snapshot::LineFile> file, std::string config_hash,
           std::function<UnixTime()> now)
      : file_(std::move(file)), config_hash_(std::move(config_hash)), now_(std::move(now)) {}

  model::Mutex mutex_;
  std::unique_ptr<snapshot::LineFile> file_ ABSL_GUARDED_BY(mutex_);
  std::string config_hash_;
  std::function<UnixTime()> now_;
};

}  // namespace foretell::agent
