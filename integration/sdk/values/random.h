#pragma once

#include <cstdint>

namespace foretell::integration::sdk {

// One step of SplitMix64: spreads every bit of `value` over all of the result.
constexpr uint64_t Mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// Uniform in [0, 1).
constexpr double Fraction(uint64_t mixed) { return static_cast<double>(mixed >> 11) * 0x1.0p-53; }

// A stream of numbers that depends on its seed only.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return Mix(state_++); }

 private:
  uint64_t state_;
};

}  // namespace foretell::integration::sdk
