#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace foretell::snapshot {

// Compression of states and messages on the wire and on disk. Everything packed carries its size
// and a checksum of what was packed.

std::string Compress(const std::string& bytes);
// As what differs from `base`: tiny for states that are nearly equal, also if both have many
// megabytes. Only DecompressDelta with the same base undoes it.
std::string CompressDelta(const std::string& bytes, const std::string& base);

// `packed` may come from anywhere. ResourceExhausted, naming both sizes and before anything is
// allocated, if it claims to unpack to more than `size_max` bytes; InvalidArgument if it is not
// exactly one packed string, or was packed with another base.
absl::StatusOr<std::string> Decompress(const std::string& packed, size_t size_max);
absl::StatusOr<std::string> DecompressDelta(const std::string& packed, const std::string& base,
                                            size_t size_max);

}  // namespace foretell::snapshot
