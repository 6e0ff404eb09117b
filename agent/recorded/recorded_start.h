#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/check/selection.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::agent {

// A cut from a file, to check from.
struct RecordedStart {
  std::string name;  // "snapshot 17 of archive.ftl, taken 2026-11-16T05:26:17.123Z".
  snapshot::RecordedSnapshot recorded;
  std::vector<model::Imagined> spaces;  // Of a bundle: where its path starts. Else empty.
  std::vector<snapshot::Loss> lost;     // Of an archive: what of it cannot be read.
  // Of an archive, if asked for: the cuts of the same system before it, the oldest first. Those
  // that are not exact are left out, and so are repetitions.
  std::vector<snapshot::RecordedSnapshot> earlier;
  uint64_t left_out = 0;  // Not exact, or beyond the limit of what is kept in memory.
};

enum class Earlier : uint8_t { kNone, kAll };

// `reference` is FILE, FILE#N or N-less: a bundle, or an archive, of which the last record or the
// last one with number N is taken. Errors name the file.
// `earlier`: whether those before the last are asked for; not if there is an N.
absl::StatusOr<RecordedStart> LoadStart(const std::string& reference,
                                        Earlier earlier = Earlier::kNone);

// The last record of number `number`. NotFound names the file, and what there is.
absl::StatusOr<snapshot::ArchiveEntry> FindNumber(const snapshot::ArchiveReader& archive,
                                                  const std::string& file, uint64_t number);

// The service that a cut was taken of. FailedPrecondition, with both versions, if this build has
// another version of its code.
absl::StatusOr<Selection> SelectOrigin(const model::Catalog& catalog,
                                       const snapshot::Origin& origin);
// The same, whatever the version.
absl::StatusOr<Selection> SelectAnyVersion(const model::Catalog& catalog,
                                           const snapshot::Origin& origin);

}  // namespace foretell::agent
