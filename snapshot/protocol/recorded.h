#pragma once

#include <chrono>
#include <string>

#include "foretell/snapshot/protocol/cut_assembly.h"

namespace foretell::snapshot {

// Since 1970, UTC.
using UnixTime = std::chrono::sys_time<std::chrono::nanoseconds>;

// Which code a cut belongs to: enough to make the service again.
struct Origin {
  std::string service;  // Name of the family.
  std::string scenario;
  std::string bug;       // Empty: none.
  std::string version;   // Of the service's code; see model::ServiceFamily::version.
  std::string foretell;  // Version of the program that took it.
  friend bool operator==(const Origin&, const Origin&) = default;
};

// A snapshot with what is needed to make sense of it later.
struct RecordedSnapshot {
  Snapshot snapshot;
  UnixTime taken;
  Origin origin;
};

}  // namespace foretell::snapshot
