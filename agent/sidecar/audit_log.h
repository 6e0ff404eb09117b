#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::agent {

// One decision about a veto, for whoever asks later what the agent did and why.
struct AuditEntry {
  std::string action;  // "applied", "renewed", "removed", "expired", "would apply", "no plan", ...
  std::string decision;  // Empty for what concerns no single decision.
  std::string invariant;
  std::string mode;
  std::string why;                   // One sentence.
  std::vector<std::string> filters;  // In words.
  std::vector<std::string> path;     // In words.
  uint64_t snapshot = 0;             // Its number.
  std::string snapshot_hash;
};

// Append-only, one JSON object per line, on disk before Write returns. Never throws away what is
// there: a file that cannot be written to is reported and the agent goes on without vetoes. What a
// full disk has left of a line stays a line of its own. Thread-safe.
class AuditLog {
 public:
  // `now` gives the wall clock in nanoseconds since 1970.
  static absl::StatusOr<std::unique_ptr<AuditLog>> Open(const std::string& path,
                                                        std::string config_hash,
                                                        std::function<int64_t()> now);
  ~AuditLog();
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  absl::Status Write(const AuditEntry& entry);

 private:
  AuditLog(std::string path, std::string config_hash, std::function<int64_t()> now, int file)
      : path_(std::move(path)),
        config_hash_(std::move(config_hash)),
        now_(std::move(now)),
        file_(file) {}

  std::string path_;
  std::string config_hash_;
  std::function<int64_t()> now_;
  int file_;
  std::mutex mutex_;
  bool torn_ = false;  // The file ends within a line.
};

}  // namespace foretell::agent
