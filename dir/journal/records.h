#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace foretell::dir {

// A record as it is in a journal's file: a mark by which it is found again behind damaged ones, its
// size, a checksum, and `body`.
std::string MakeRecord(const std::string& body);
// The body of the record at the front of `bytes`; nothing if there is no whole one.
std::optional<std::string_view> RecordAt(std::string_view bytes);
// The size of that record in bytes.
uint64_t RecordSize(std::string_view body);

// Reads records one after the other. They do not depend on each other, so one that is damaged costs
// no other.
class RecordReader {
 public:
  // Bytes that were passed over.
  struct Losses {
    uint64_t torn_bytes = 0;  // Of a record at the end that is cut off: a kill in the middle of it.
    uint64_t damaged_bytes = 0;   // All else that is no record.
    uint64_t damaged_places = 0;  // In so many stretches,
    uint64_t damaged_at = 0;      // the first of which is here. If there is any.
  };

  // Reads from `at` on. The bytes outlive this and the bodies it returns.
  RecordReader(std::string_view bytes, uint64_t at) : bytes_(bytes), at_(at) {}

  // The body of the next whole record. Nothing at the end.
  std::optional<std::string_view> Next();
  const Losses& losses() const { return losses_; }
  // The end of the last record that was read, or `at`.
  uint64_t end() const { return at_; }

 private:
  void Lose(uint64_t until);

  const std::string_view bytes_;
  uint64_t at_;
  bool ended_ = false;
  Losses losses_;
};

}  // namespace foretell::dir
