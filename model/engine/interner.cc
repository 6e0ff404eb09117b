#include "foretell/model/engine/interner.h"

#include <algorithm>
#include <cstring>

#include "foretell/model/check.h"

namespace foretell::model {

uint32_t Interner::Intern(std::string_view bytes) {
  const uint64_t hash = hash_(bytes);
  const auto low = static_cast<uint32_t>(hash);
  const uint32_t found =
      index_.Find(hash, [&](uint32_t id) { return entries_[id].hash == low && at(id) == bytes; });
  if (found != IdIndex::kNone) return found;
  const uint32_t id = size();
  FORETELL_CHECK(id != IdIndex::kNone);
  FORETELL_CHECK(bytes.size() <= UINT32_MAX);
  index_.Insert(hash, id, [this](uint32_t other) { return hash_(at(other)); });
  entries_.push_back({Store(bytes), static_cast<uint32_t>(bytes.size()), low});
  return id;
}

const char* Interner::Store(std::string_view bytes) {
  // Rounded up so that sequences of 32-bit numbers stay aligned.
  const size_t size = (bytes.size() + 3) & ~size_t{3};
  if (size > free_size_) {
    // Blocks grow with what is stored: small tables stay small, large ones have few blocks.
    free_size_ = std::max<size_t>({size, size_t{1} << 10, std::min<size_t>(block_bytes_, 1 << 20)});
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_size_));
    free_ = blocks_.back().get();
    block_bytes_ += free_size_;
  }
  char* const place = free_;
  if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
  free_ += size;
  free_size_ -= size;
  return place;
}

}  // namespace foretell::model
