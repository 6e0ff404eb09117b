#pragma once

#include <string>

#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/storage/unix_time.h"

namespace foretell::snapshot {

// The code that a cut belongs to: enough to make the service again.
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
