#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>

#include "foretell/model/plain/valid_cut.h"
#include "foretell/model/service.h"

namespace foretell::predictors {

// Starts that were covered completely and hold no violation; a live system that stands still need
// not be checked again. Remembers the newest, by a hash of 128 bits.
class CleanSpaces {
 public:
  explicit CleanSpaces(const model::Service& service) : service_(service) {}

  void Add(model::ValidCut start);
  bool Contains(model::ValidCut start) const;

 private:
  using Hash = std::pair<uint64_t, uint64_t>;
  static constexpr size_t kSpacesMax = 4096;
  Hash HashOf(model::ValidCut start) const;

  const model::Service& service_;
  std::set<Hash> known_;
  std::deque<Hash> order_;  // Oldest first.
};

}  // namespace foretell::predictors
