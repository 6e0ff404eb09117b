#include "foretell/tests/fuzz/mutation.h"

#include <algorithm>
#include <random>

namespace foretell::fuzz {
namespace {

constexpr size_t kSizeMax = 1 << 16;
// Where lengths, counts and enumerators go wrong.
constexpr uint64_t kEdges[] = {0,     1,      2,      0x7f,       0x80,       0xff,
                               0x100, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, UINT64_MAX};

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  // One of 0 .. end-1; a standard distribution is not the same everywhere.
  size_t Below(size_t end) { return end == 0 ? 0 : random_() % end; }

 private:
  std::mt19937_64 random_;
};

void WriteEdge(Dice& dice, std::string& bytes) {
  const uint64_t edge = kEdges[dice.Below(std::size(kEdges))];
  const size_t size = size_t{1} << dice.Below(4);
  const size_t at = dice.Below(bytes.size());
  for (size_t i = 0; i < size && at + i < bytes.size(); ++i) {
    bytes[at + i] = static_cast<char>(edge >> (8 * i));
  }
}

// Copies a stretch of `from` to somewhere in `bytes`.
void Splice(Dice& dice, const std::string& from, std::string& bytes) {
  const size_t begin = dice.Below(from.size());
  const size_t size = 1 + dice.Below(std::min<size_t>(from.size() - begin, 256));
  bytes.insert(dice.Below(bytes.size() + 1), from.substr(begin, size));
}

void Change(Dice& dice, const std::string& other, std::string& bytes) {
  if (bytes.empty()) return Splice(dice, other, bytes);
  const size_t at = dice.Below(bytes.size());
  switch (dice.Below(8)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << dice.Below(8)); return;
    case 1: bytes[at] = static_cast<char>(dice.Below(256)); return;
    case 2: return void(bytes.erase(at, 1 + dice.Below(16)));
    case 3: return void(bytes.insert(at, 1 + dice.Below(8), static_cast<char>(dice.Below(256))));
    case 4: return bytes.resize(at);
    case 5: return Splice(dice, other, bytes);
    case 6: return Splice(dice, std::string(bytes), bytes);
    default: return WriteEdge(dice, bytes);
  }
}

}  // namespace

std::string Mutations::At(uint64_t number) const {
  Dice dice(number);
  std::string bytes = seeds_[dice.Below(seeds_.size())];
  const std::string& other = seeds_[dice.Below(seeds_.size())];
  for (size_t changes = 1 + dice.Below(6); changes > 0; --changes) Change(dice, other, bytes);
  bytes.resize(std::min(bytes.size(), kSizeMax));
  return bytes;
}

}  // namespace foretell::fuzz
