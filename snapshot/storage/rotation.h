#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "foretell/snapshot/storage/file_system.h"

namespace foretell::snapshot {

// Where the file at `path` is kept as number `age`: "cuts.ftl" becomes "cuts.2.ftl".
std::string AgedPath(const std::string& path, uint32_t age);

// Makes way for a new file at `path`: what is there becomes number 1, number 1 number 2, and so on;
// of `files_max` files, the new one included, the oldest is overwritten. Killed or failed at any
// step, every file is still there under some number, and the next call closes the gap. Ok if
// nothing is at `path`. REQUIRES: files_max > 0.
absl::Status SetAside(FileSystem& files, const std::string& path, uint32_t files_max);

}  // namespace foretell::snapshot
