#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace foretell::search {

// What is known of a state: two bits.
enum class Mark : uint8_t { kOpen, kAlive, kDead, kLive };

// A mark for each state, in two planes of bits, so that what is open is found 64 states at a time.
class Marks {
 public:
  uint32_t size() const { return size_; }
  uint64_t bytes() const { return 8 * (low_.capacity() + high_.capacity()); }

  Mark operator[](uint32_t state) const {
    const uint64_t low = low_[state / 64] >> (state % 64) & 1;
    const uint64_t high = high_[state / 64] >> (state % 64) & 1;
    return static_cast<Mark>(low | high << 1);
  }
  void Set(uint32_t state, Mark mark) {
    Put(low_[state / 64], state % 64, static_cast<uint64_t>(mark) & 1);
    Put(high_[state / 64], state % 64, static_cast<uint64_t>(mark) >> 1);
  }

  // More states, which are open.
  void Grow(uint32_t size) {
    for (auto* plane : {&low_, &high_}) {
      plane->reserve((size + 63) / 64);  // Exactly: a vector that grows by itself doubles.
      plane->resize((size + 63) / 64);
    }
    size_ = size;
  }
  // Whatever was alive is open again.
  void Reopen() {
    for (size_t word = 0; word < low_.size(); ++word) low_[word] &= high_[word];
  }

  // Calls `visit` for each open state below `end`, the last one first, until it says no; what it
  // marks meanwhile counts. False if it said no.
  template <typename Visit>
  bool ForOpen(uint32_t end, Visit visit) const {
    for (uint32_t word = (end + 63) / 64; word-- > 0;) {
      uint64_t rest = ~uint64_t{0};
      if (end - word * 64 < 64) rest >>= 64 - (end - word * 64);
      for (uint64_t open; (open = ~(low_[word] | high_[word]) & rest) != 0;) {
        const auto bit = static_cast<uint32_t>(63 - std::countl_zero(open));
        rest &= ~(uint64_t{1} << bit);
        if (!visit(word * 64 + bit)) return false;
      }
    }
    return true;
  }

 private:
  static void Put(uint64_t& word, uint32_t bit, uint64_t value) {
    word = (word & ~(uint64_t{1} << bit)) | value << bit;
  }

  std::vector<uint64_t> low_;
  std::vector<uint64_t> high_;
  uint32_t size_ = 0;
};

}  // namespace foretell::search
