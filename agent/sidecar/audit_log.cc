#include "agent/sidecar/audit_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "agent/wall_time.h"

namespace foretell::agent {
namespace {

absl::Status Failed(const std::string& path, const std::string& what) {
  return absl::UnavailableError(
      absl::StrCat("audit log ", path, ": ", what, ": ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<AuditLog>> AuditLog::Open(const std::string& path,
                                                         std::string config_hash,
                                                         std::function<int64_t()> now) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
  if (file < 0) return Failed(path, "cannot be opened");
  return std::unique_ptr<AuditLog>(
      new AuditLog(path, std::move(config_hash), std::move(now), file));
}

AuditLog::~AuditLog() { close(file_); }

absl::Status AuditLog::Write(const AuditEntry& entry) {
  nlohmann::ordered_json json;
  json["time"] = FormatWallTime(now_());
  json["action"] = entry.action;
  json["decision"] = entry.decision;
  json["invariant"] = entry.invariant;
  json["mode"] = entry.mode;
  json["why"] = entry.why;
  json["filters"] = entry.filters;
  json["path"] = entry.path;
  json["snapshot"] = entry.snapshot;
  json["snapshot_hash"] = entry.snapshot_hash;
  json["config_hash"] = config_hash_;
  // Bodies come from the monitored system: whatever they hold, the line stays valid JSON.
  std::string line = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(mutex_);
  if (torn_) line.insert(0, "\n");
  // One call, so that a reader or a second writer never sees half a line between others.
  const ssize_t written = write(file_, line.data(), line.size());
  if (written < 0) return Failed(path_, "cannot be written to");
  torn_ = written < static_cast<ssize_t>(line.size());
  if (torn_) {
    errno = ENOSPC;  // What a part of a line means; the call itself has not failed.
    return Failed(path_, absl::StrCat("took ", written, " of ", line.size(), " bytes"));
  }
  if (fdatasync(file_) != 0) return Failed(path_, "cannot be synced");
  return absl::OkStatus();
}

}  // namespace foretell::agent
