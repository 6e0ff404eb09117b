#pragma once

#include <cstdint>
#include <string_view>

namespace foretell::model {

// XXH3: the same on every machine, so hashes may be kept on disk and compared across processes. Not
// against an adversary.
uint64_t HashBytes(std::string_view bytes);

// 128 bits, for hashes that are believed without comparing what was hashed.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
};
Hash128 HashBytes128(std::string_view bytes);

}  // namespace foretell::model
