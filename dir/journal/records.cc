#include "foretell/dir/journal/records.h"

#include <cstring>

#include "foretell/model/hash.h"

namespace foretell::dir {
namespace {

// Neither text nor a small number, so that it hardly ever occurs within a record.
constexpr std::string_view kMark = "\xd1unit\xe7\r\n";

struct Header {
  char mark[kMark.size()] = {};
  uint64_t size = 0;
  uint64_t hash = 0;
};

// True iff `bytes`, which are no whole record, are the beginning of one.
bool IsTorn(std::string_view bytes) {
  if (bytes.size() < kMark.size()) return kMark.starts_with(bytes);
  if (!bytes.starts_with(kMark)) return false;
  Header header;
  if (bytes.size() < sizeof(header)) return true;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return bytes.size() - sizeof(header) < header.size;
}

}  // namespace

std::string MakeRecord(const std::string& body) {
  Header header{.size = body.size(), .hash = model::HashBytes(body)};
  std::memcpy(header.mark, kMark.data(), kMark.size());
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + body;
}

std::optional<std::string_view> RecordAt(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(header) || !bytes.starts_with(kMark)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (bytes.size() - sizeof(header) < header.size) return std::nullopt;
  const std::string_view body = bytes.substr(sizeof(header), header.size);
  if (model::HashBytes(body) != header.hash) return std::nullopt;
  return body;
}

uint64_t RecordSize(std::string_view body) { return sizeof(Header) + body.size(); }

std::optional<std::string_view> RecordReader::Next() {
  for (size_t at = at_; !ended_ && at < bytes_.size(); at = bytes_.find(kMark, at + 1)) {
    const auto body = RecordAt(bytes_.substr(at));
    if (!body) continue;
    Lose(at);
    at_ = at + RecordSize(*body);
    return body;
  }
  if (!ended_) Lose(bytes_.size());
  ended_ = true;
  return std::nullopt;
}

void RecordReader::Lose(uint64_t until) {
  const std::string_view lost = bytes_.substr(at_, until - at_);
  if (lost.empty()) return;
  if (until == bytes_.size() && IsTorn(lost)) {
    losses_.torn_bytes = lost.size();
    return;
  }
  if (losses_.damaged_places == 0) losses_.damaged_at = at_;
  ++losses_.damaged_places;
  losses_.damaged_bytes += lost.size();
}

}  // namespace foretell::dir
