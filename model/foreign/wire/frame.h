#pragma once

// The bytes of foretell_service.h, written and read. What is read was written by somebody else and
// is never believed: every length is checked against what is there before anything is allocated.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace foretell::model::foreign {

class Writer {
 public:
  void U32(uint32_t value) { Little(value, 4); }
  void U64(uint64_t value) { Little(value, 8); }
  void I64(int64_t value) { Little(static_cast<uint64_t>(value), 8); }
  void Bool(bool value) { U32(value ? 1 : 0); }
  void Blob(std::string_view bytes) {
    U32(static_cast<uint32_t>(bytes.size()));
    bytes_.append(bytes);
  }
  // REQUIRES: `each` writes one element.
  template <class Items, class Each>
  void List(const Items& items, Each&& each) {
    U32(static_cast<uint32_t>(items.size()));
    for (const auto& item : items) each(item);
  }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }
  // Empty again, in the same memory.
  void Clear() { bytes_.clear(); }

 private:
  void Little(uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
  }

  std::string bytes_;
};

// Once something was missing, everything read is zero or empty and `ok` is false.
class Reader {
 public:
  // `bytes` outlives the reader.
  explicit Reader(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  uint32_t U32(const char* what) { return static_cast<uint32_t>(Little(4, what)); }
  uint64_t U64(const char* what) { return Little(8, what); }
  int64_t I64(const char* what) { return static_cast<int64_t>(Little(8, what)); }
  // A number that must be less than `end`.
  uint32_t Below(uint32_t end, const char* what);
  bool Bool(const char* what) { return Below(2, what) == 1; }
  std::string_view Blob(const char* what);
  // All that is left.
  std::string Rest() { return std::string(std::exchange(rest_, {})); }
  // Calls `each` for every element. None is smaller than 4 bytes, so that a count of more than
  // there can be is seen before anything is done about it.
  template <class Each>
  void List(const char* what, Each&& each) {
    const uint32_t count = Count(what);
    for (uint32_t i = 0; i < count && ok(); ++i) each();
  }
  // The next tag and value of a record are the arguments of `each`.
  template <class Each>
  void Record(const char* what, Each&& each) {
    List(what, [&] {
      const uint32_t tag = U32("tag");
      const std::string_view value = Blob(what);
      if (ok()) each(tag, value);
    });
  }
  // Nothing may be left over.
  void End();
  void Fail(std::string why);

  bool ok() const { return !error_; }
  // What was wrong first, in words: "reply of 12 bytes: state: 400 bytes announced, 8 left".
  // REQUIRES: !ok().
  std::string error() const;

 private:
  uint64_t Little(size_t size, const char* what);
  uint32_t Count(const char* what);

  std::string_view rest_;
  size_t size_;
  std::optional<std::string> error_;
};

}  // namespace foretell::model::foreign
