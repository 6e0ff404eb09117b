#include "foretell/model/foreign/wire/frame.h"

#include "absl/strings/str_cat.h"

namespace foretell::model::foreign {

uint64_t Reader::Little(size_t size, const char* what) {
  if (!ok()) return 0;
  if (rest_.size() < size) {
    Fail(absl::StrCat(what, ": a number of ", size, " bytes, ", rest_.size(), " left"));
    return 0;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
  }
  rest_.remove_prefix(size);
  return value;
}

uint32_t Reader::Below(uint32_t end, const char* what) {
  const uint32_t value = U32(what);
  if (ok() && value >= end) Fail(absl::StrCat(what, ": ", value, ", must be less than ", end));
  return ok() ? value : 0;
}

std::string_view Reader::Blob(const char* what) {
  const uint32_t size = U32(what);
  if (!ok()) return {};
  if (rest_.size() < size) {
    Fail(absl::StrCat(what, ": ", size, " bytes announced, ", rest_.size(), " left"));
    return {};
  }
  const std::string_view blob = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return blob;
}

uint32_t Reader::Count(const char* what) {
  constexpr size_t kLeast = 4;  // Bytes of an element.
  const uint32_t count = U32(what);
  if (ok() && count > rest_.size() / kLeast) {
    Fail(absl::StrCat(what, ": ", count, " elements announced, ", rest_.size(), " bytes left"));
  }
  return ok() ? count : 0;
}

void Reader::End() {
  if (ok() && !rest_.empty()) Fail(absl::StrCat(rest_.size(), " bytes left over"));
}

void Reader::Fail(std::string why) {
  if (ok()) error_ = std::move(why);
}

std::string Reader::error() const {
  return absl::StrCat("reply of ", size_, " bytes: ", error_.value_or(""));
}

}  // namespace foretell::model::foreign
