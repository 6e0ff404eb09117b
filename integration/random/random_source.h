#pragma once

#include <cstdint>

namespace foretell::integration {

// SplitMix64. The standard library's distributions differ between implementations; a seed printed
// on one machine must mean the same service on every other.
class RandomSource {
 public:
  explicit RandomSource(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // Any of 0 .. count-1. The bias of the remainder does not matter here.
  // REQUIRES: count > 0.
  uint8_t Below(uint64_t count) { return static_cast<uint8_t>(Next() % count); }
  // Any of low .. high.
  uint8_t Between(uint64_t low, uint64_t high) {
    return static_cast<uint8_t>(low + Next() % (high - low + 1));
  }
  bool Chance(uint32_t percent) { return Next() % 100 < percent; }

 private:
  uint64_t state_;
};

}  // namespace foretell::integration
