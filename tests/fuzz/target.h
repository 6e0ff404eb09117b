#pragma once

// Parsers of bytes from outside, each as a function that may be called with anything. What it must
// not do is crash, hang, leak, or take memory out of proportion; sanitizers and limits see to that,
// so that the functions themselves have little to say.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foretell::fuzz {

struct Target {
  const char* name;
  void (*run)(const std::string& bytes);
  // Inputs to begin with, made by our own writers: they cannot fall behind a format.
  std::vector<std::string> (*seeds)();
};

// Those that this program has.
std::span<const Target> AllTargets();
// Null if there is none.
const Target* FindTarget(std::string_view name);

// Takes an input apart. Beyond its end everything is zero or empty.
class Input {
 public:
  // `bytes` outlives it.
  explicit Input(std::string_view bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }
  uint8_t Byte();
  uint16_t Short() { return static_cast<uint16_t>(Byte() | Byte() << 8); }
  // As many bytes as a Short says, or as there are.
  std::string Part();
  std::string Rest() { return Take(rest_.size()); }

 private:
  std::string Take(size_t size);
  std::string_view rest_;
};

// What Part reads back.
std::string AsPart(const std::string& bytes);

}  // namespace foretell::fuzz
