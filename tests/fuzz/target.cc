#include "foretell/tests/fuzz/target.h"

#include <algorithm>

namespace foretell::fuzz {

const Target* FindTarget(std::string_view name) {
  for (const Target& target : AllTargets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

uint8_t Input::Byte() {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

std::string Input::Part() {
  const size_t size = Short();
  return Take(size);
}

std::string Input::Take(size_t size) {
  std::string taken(rest_.substr(0, size));
  rest_.remove_prefix(taken.size());
  return taken;
}

std::string AsPart(const std::string& bytes) {
  const size_t size = std::min<size_t>(bytes.size(), UINT16_MAX);
  return std::string{static_cast<char>(size), static_cast<char>(size >> 8)} + bytes.substr(0, size);
}

}  // namespace foretell::fuzz
