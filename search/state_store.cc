#include "foretell/search/state_store.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "foretell/model/check.h"

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
  // The index takes low bits for the place and high bits for the tag: both must be well mixed.
  hash *= 0xd6e8feb86659fd93;
  return hash ^ hash >> 29;
}

uint32_t* StateStore::Append() {
  if (size_ == blocks_.size() * kBlockRecords) {
    blocks_.push_back(std::make_unique_for_overwrite<uint32_t[]>(kBlockRecords * stride()));
  }
  FORETELL_CHECK(size_ != kNone);
  return &blocks_[size_ / kBlockRecords][(size_ % kBlockRecords) * stride()];
}

StateStore::Inserted StateStore::Insert(std::span<const uint32_t> fields, uint32_t parent) {
  Stage(fields);
  const Inserted inserted = InsertStagedOne(staged_hashes_.size() - 1, parent);
  ClearStage();
  return inserted;
}

void StateStore::Stage(std::span<const uint32_t> fields) {
  FORETELL_DCHECK(fields.size() == widths_.size());
  staged_fields_.insert(staged_fields_.end(), fields.begin(), fields.end());
  staged_hashes_.push_back(0);
  if (!Fits(fields)) return Widen(fields);
  PackStaged(staged_hashes_.size() - 1);
}

void StateStore::PackStaged(size_t i) {
  staged_words_.resize((i + 1) * record_words_);
  const std::span<const uint32_t> fields(&staged_fields_[i * widths_.size()], widths_.size());
  Pack(fields, &staged_words_[i * record_words_]);
  staged_hashes_[i] = HashOf(&staged_words_[i * record_words_]);
  index_.Prefetch(staged_hashes_[i]);
}

void StateStore::ClearStage() {
  staged_fields_.clear();
  staged_words_.clear();
  staged_hashes_.clear();
}

void StateStore::PrefetchRecord(uint64_t hash) const {
  const uint32_t likely = index_.Likely(hash);
  if (likely != model::IdIndex::kNone) __builtin_prefetch(record(likely));
}

StateStore::Inserted StateStore::InsertStagedOne(size_t i, uint32_t parent) {
  const uint32_t* const words = &staged_words_[i * record_words_];
  const uint64_t hash = staged_hashes_[i];
  const uint32_t found = index_.Find(hash, [&](uint32_t index) {
    return std::equal(words, words + record_words_, record(index));
  });
  if (found != model::IdIndex::kNone) return {found, false};
  uint32_t* const place = Append();
  std::copy(words, words + record_words_, place);
  place[record_words_] = parent;
  index_.Insert(hash, size_, [this](uint32_t index) { return HashOf(record(index)); });
  return {size_++, true};
}

uint32_t StateStore::Find(std::span<const uint32_t> fields) const {
  if (!Fits(fields)) return kNone;
  wanted_words_.resize(record_words_);
  Pack(fields, wanted_words_.data());
  const uint32_t found = index_.Find(HashOf(wanted_words_.data()), [&](uint32_t index) {
    return std::equal(wanted_words_.begin(), wanted_words_.end(), record(index));
  });
  return found == model::IdIndex::kNone ? kNone : found;
}

void StateStore::Load(uint32_t index, std::span<uint32_t> fields) const {
  Unpack(record(index), fields);
}

void StateStore::Widen(std::span<const uint32_t> fields) {
  StateStore wider(widths_.size());
  int bits = 0;
  for (size_t i = 0; i < fields.size(); ++i) {
    wider.widths_[i] = widths_[i];
    if (uint64_t{fields[i]} >> widths_[i] != 0) {
      // Room to grow by four before the next repacking.
      const int width = static_cast<int>(std::bit_width(fields[i])) + 2;
      wider.widths_[i] = static_cast<uint8_t>(std::min(32, width));
    }
    bits += wider.widths_[i];
  }
  wider.record_words_ = static_cast<size_t>(bits + 31) / 32;
  std::vector<uint32_t> values(fields.size());
  for (uint32_t index = 0; index < size_; ++index) {
    Load(index, values);
    wider.Insert(values, parent(index));
  }
  wider.staged_fields_ = std::move(staged_fields_);
  wider.staged_hashes_ = std::move(staged_hashes_);
  *this = std::move(wider);
  for (size_t i = 0; i < staged_hashes_.size(); ++i) PackStaged(i);
}

uint64_t StateStore::bytes() const {
  return blocks_.size() * kBlockRecords * stride() * sizeof(uint32_t) + index_.bytes();
}

}  // namespace foretell::search
