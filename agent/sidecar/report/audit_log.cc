#include "foretell/agent/sidecar/report/audit_log.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {

absl::StatusOr<std::unique_ptr<AuditLog>> AuditLog::Open(const Options& options,
                                                         std::string config_hash,
                                                         std::function<UnixTime()> now) {
  auto file = snapshot::LineFile::Open({.path = options.path,
                                        .size_max = options.size_max,
                                        .files_max = options.files_max,
                                        .sync = true});
  if (!file.ok()) {
    return absl::UnavailableError(absl::StrCat("audit log ", std::string(file.status().message())));
  }
  return std::unique_ptr<AuditLog>(
      new AuditLog(*std::move(file), std::move(config_hash), std::move(now)));
}

absl::Status AuditLog::Write(const AuditEntry& entry) {
  nlohmann::ordered_json json;
  json["time"] = FormatTime(now_());
  json["action"] = entry.action;
  json["decision"] = entry.decision;
  json["invariant"] = entry.invariant;
  json["mode"] = entry.mode;
  json["why"] = entry.why;
  json["filters"] = entry.filters;
  json["path"] = entry.path;
  json["assumes"] = entry.assumes;
  json["snapshot"] = entry.snapshot;
  json["snapshot_hash"] = entry.snapshot_hash;
  json["config_hash"] = config_hash_;
  // Bodies come from the monitored system: whatever they hold, the line stays valid JSON.
  const std::string line = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const model::MutexLock lock(mutex_);
  const absl::Status status = file_->Append(line);
  if (status.ok()) return status;
  return absl::UnavailableError(absl::StrCat("audit log ", std::string(status.message())));
}

}  // namespace foretell::agent
