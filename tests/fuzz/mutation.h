#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foretell::fuzz {

// Inputs by number, the same on every machine: one of `seeds` with a few changes.
class Mutations {
 public:
  // REQUIRES: there is a seed.
  explicit Mutations(std::vector<std::string> seeds) : seeds_(std::move(seeds)) {}
  std::string At(uint64_t number) const;

 private:
  const std::vector<std::string> seeds_;
};

}  // namespace foretell::fuzz
