#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace foretell::dir {

// Stands for a transition, a trace or a skeleton in its canonical form (section 4.2): equal
// signatures mean equal things. 128 bits, the same in every table, thread and process. The
// signature of a set is the sum of its members', in whatever order they come.
struct Signature {
  uint64_t high = 0;
  uint64_t low = 0;

  Signature& operator+=(const Signature& other) {
    high += other.high;
    low += other.low;
    return *this;
  }
  Signature& operator-=(const Signature& other) {
    high -= other.high;
    low -= other.low;
    return *this;
  }
  friend Signature operator+(Signature a, const Signature& b) { return a += b; }
  friend auto operator<=>(const Signature&, const Signature&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Signature& s) {
    return H::combine(std::move(h), s.low);
  }
};

Signature SignatureOf(std::string_view bytes);
// Of a sequence.
Signature SignatureOf(std::span<const Signature> parts);
inline Signature SignatureOf(std::initializer_list<Signature> parts) {
  return SignatureOf(std::span(parts.begin(), parts.size()));
}

}  // namespace foretell::dir
