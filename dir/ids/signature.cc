#include "foretell/dir/ids/signature.h"

#include <xxhash.h>

namespace foretell::dir {

Signature SignatureOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Signature SignatureOf(std::span<const Signature> sequence) {
  static_assert(sizeof(Signature) == 2 * sizeof(uint64_t));
  return SignatureOf(
      std::string_view(reinterpret_cast<const char*>(sequence.data()), sequence.size_bytes()));
}

}  // namespace foretell::dir
