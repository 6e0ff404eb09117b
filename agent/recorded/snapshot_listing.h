#pragma once

#include <string>
#include <vector>

#include "foretell/agent/console/console.h"
#include "foretell/snapshot/archive/archive.h"

namespace foretell::agent {

// The content of an archive, as `foretell snapshots` tells it.
struct SnapshotListing {
  std::string file;
  std::vector<snapshot::ArchiveEntry> entries;  // As asked for.
  size_t total = 0;                             // Records of the archive.
  std::vector<snapshot::Loss> lost;
};

// One line per snapshot, a summary, and what is damaged.
std::string ListingText(const SnapshotListing& listing, const TerminalStyle& style);
// One object and a newline.
std::string ListingJson(const SnapshotListing& listing);

// "23 bytes at byte 815: no header", for people.
std::string LossText(const snapshot::Loss& loss);

}  // namespace foretell::agent
