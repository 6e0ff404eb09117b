#include "search/state_store.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "model/check.h"

namespace foretell::search {

StateStore::StateStore(size_t field_count) : widths_(field_count, 1) {
  record_words_ = (field_count + 31) / 32;
}

bool StateStore::Fits(std::span<const uint32_t> fields) const {
  uint32_t overflow = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    overflow |= static_cast<uint32_t>(uint64_t{fields[i]} >> widths_[i]);
  }
  return overflow == 0;
}

void StateStore::Pack(std::span<const uint32_t> fields, uint32_t* words) const {
  uint64_t pending = 0;
  int bits = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    pending |= uint64_t{fields[i]} << bits;
    bits += widths_[i];
    if (bits >= 32) {
      *words++ = static_cast<uint32_t>(pending);
      pending >>= 32;
      bits -= 32;
    }
  }
  if (bits > 0) *words = static_cast<uint32_t>(pending);
}

void StateStore::Unpack(const uint32_t* words, std::span<uint32_t> fields) const {
  uint64_t pending = 0;
  int bits = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    const int width = widths_[i];
    if (bits < width) {
      pending |= uint64_t{*words++} << bits;
      bits += 32;
    }
    fields[i] = static_cast<uint32_t>(pending & ((uint64_t{1} << width) - 1));
    pending >>= width;
    bits -= width;
  }
}

uint64_t StateStore::HashOf(const uint32_t* words) const {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (size_t i = 0; i < record_words_; ++i) {
    hash = (hash ^ words[i]) * 0xd6e8feb86659fd93;
    hash ^= hash >> 32;
  }
  return hash * 0xd6e8feb86659fd93 >> 16;
}

uint32_t* StateStore::Append() {
  if (size_ == blocks_.size() * kBlockRecords) {
    blocks_.push_back(std::make_unique_for_overwrite<uint32_t[]>(kBlockRecords * stride()));
  }
  FORETELL_CHECK(size_ != kNone);
  return &blocks_[size_ / kBlockRecords][(size_ % kBlockRecords) * stride()];
}

StateStore::Inserted StateStore::Insert(std::span<const uint32_t> fields, uint32_t parent) {
  FORETELL_DCHECK(fields.size() == widths_.size());
  if (!Fits(fields)) Widen(fields);
  // Packed where it will stay if it is new; the next call overwrites it if it is not.
  uint32_t* const words = Append();
  Pack(fields, words);
  const uint64_t hash = HashOf(words);
  const uint32_t found = index_.Find(hash, [&](uint32_t index) {
    return std::memcmp(record(index), words, record_words_ * sizeof(uint32_t)) == 0;
  });
  if (found != model::IdIndex::kNone) return {found, false};
  words[record_words_] = parent;
  index_.Insert(hash, size_, [this](uint32_t index) { return HashOf(record(index)); });
  return {size_++, true};
}

void StateStore::Load(uint32_t index, std::span<uint32_t> fields) const {
  Unpack(record(index), fields);
}

void StateStore::Widen(std::span<const uint32_t> fields) {
  const StateStore old = std::move(*this);
  *this = StateStore(fields.size());
  int bits = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    widths_[i] = old.widths_[i];
    if (uint64_t{fields[i]} >> widths_[i] != 0) {
      // Room to grow by four before the next repacking.
      widths_[i] = static_cast<uint8_t>(std::min<int>(32, static_cast<int>(std::bit_width(fields[i])) + 2));
    }
    bits += widths_[i];
  }
  record_words_ = static_cast<size_t>(bits + 31) / 32;
  std::vector<uint32_t> values(fields.size());
  for (uint32_t index = 0; index < old.size_; ++index) {
    old.Load(index, values);
    Insert(values, old.parent(index));
  }
}

uint64_t StateStore::bytes() const {
  return blocks_.size() * kBlockRecords * stride() * sizeof(uint32_t) + index_.bytes();
}

}  // namespace foretell::search
