#include "foretell/dir/ids/signature.h"

#include "foretell/model/hash.h"

namespace foretell::dir {

Signature SignatureOf(std::string_view bytes) {
  const model::Hash128 hash = model::HashBytes128(bytes);
  return {hash.high, hash.low};
}

Signature SignatureOf(std::span<const Signature> sequence) {
  static_assert(sizeof(Signature) == 2 * sizeof(uint64_t));
  return SignatureOf(
      std::string_view(reinterpret_cast<const char*>(sequence.data()), sequence.size_bytes()));
}

}  // namespace foretell::dir
