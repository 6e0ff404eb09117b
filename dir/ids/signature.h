#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

namespace foretell::dir {

// A hash of 128 bits that stands for a transition, a trace or a skeleton in its canonical form
// (section 4.2): equal signatures mean equal things, in every table, thread and process. The
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
// The signature of a sequence, in which the order counts.
Signature SignatureOf(std::span<const Signature> sequence);
inline Signature SignatureOf(std::initializer_list<Signature> sequence) {
  return SignatureOf(std::span(sequence.begin(), sequence.size()));
}

}  // namespace foretell::dir
