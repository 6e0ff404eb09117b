#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "dir/behaviour.h"
#include "dir/chunks.h"
#include "dir/signature.h"

namespace foretell::dir {

// A set of interface transitions. Says for sure that something is not in it; that something is may
// be an error.
class Shown {
 public:
  void Add(const Signature& transition) {
    high_ |= uint64_t{1} << transition.high % 64;
    low_ |= uint64_t{1} << transition.low % 64;
  }
  void Add(const Shown& other) {
    high_ |= other.high_;
    low_ |= other.low_;
  }
  bool MayInclude(const Shown& other) const {
    return (other.high_ & ~high_) == 0 && (other.low_ & ~low_) == 0;
  }

 private:
  uint64_t high_ = 0;
  uint64_t low_ = 0;
};

// How many traces there are of each behaviour, by number.
using Counts = std::vector<std::pair<uint32_t, uint64_t>>;

// Remembers which traces continue a prefix, for environments that are not the same but cannot be
// told apart from there on: they agree on all arrivals whose needs are met by anything that the
// component shows before the end of those traces. No other arrival is ever ready there.
class Recall {
 public:
  struct Memory {
    Shown shown;        // By the prefix and all that continues it.
    Signature allowed;  // The arrivals that may have been ready.
    absl::InlinedVector<Counts::value_type, 2> counts;
    uint32_t next = kNone;  // Of the same prefix.
  };

  // Whatever is found or kept is about this environment until the next call.
  void Enter(const Environment& environment);
  // Whether there can be anything to recall: without arrivals, nothing is explored twice.
  bool useful() const { return !arrivals_.empty(); }
  // What is known of a prefix, or null. Valid until Keep.
  const Memory* Find(uint32_t prefix) const;
  void Keep(uint32_t prefix, const Shown& shown, std::span<const Counts::value_type> counts);
  uint64_t bytes() const {
    return all_.size() * sizeof(Memory) + memories_.capacity() * sizeof(Memories);
  }

 private:
  struct Memories {
    uint32_t latest = kNone;  // The first in a chain.
    uint32_t count = 0;
  };
  Signature Allowed(const Shown& shown) const;
  uint32_t TakeOldest(const Memories& memories);

  std::vector<std::pair<Shown, Signature>> arrivals_;  // What they need, and which they are.
  std::vector<Memories> memories_;                     // By prefix.
  Chunks<Memory> all_;
};

}  // namespace foretell::dir
