#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "foretell/dir/ids/chunks.h"
#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/behaviour.h"

namespace foretell::dir {

// A Bloom filter of interface transitions: no false negatives.
class TransitionFilter {
 public:
  void Add(const Signature& transition) {
    high_ |= uint64_t{1} << transition.high % 64;
    low_ |= uint64_t{1} << transition.low % 64;
  }
  void Add(const TransitionFilter& other) {
    high_ |= other.high_;
    low_ |= other.low_;
  }
  bool MayInclude(const TransitionFilter& other) const {
    return (other.high_ & ~high_) == 0 && (other.low_ & ~low_) == 0;
  }

 private:
  uint64_t high_ = 0;
  uint64_t low_ = 0;
};

// The number of traces of each behaviour, by the behaviour's number.
using TraceCounts = std::vector<std::pair<uint32_t, uint64_t>>;

// A cache of the traces that continue a prefix, for environments that are not the same but cannot
// be told apart from there on: they agree on all arrivals whose needs are met by any interface
// transition of the component before the end of those traces. No other arrival is ever ready there.
class ContinuationCache {
 public:
  struct Entry {
    TransitionFilter transitions;  // Of the prefix and all that continues it.
    Signature arrivals;            // The sum of those that may have been ready.
    absl::InlinedVector<TraceCounts::value_type, 2> counts;
    uint32_t next = kNone;  // Entry of the same prefix.
  };

  // Entries are found and added for this environment until the next call.
  void Enter(const Environment& environment);
  // True iff an entry can ever be found: without arrivals, nothing is explored twice.
  bool useful() const { return !arrivals_.empty(); }
  // The entry of a prefix, or null. Valid until Add.
  const Entry* Find(uint32_t prefix) const;
  void Add(uint32_t prefix, const TransitionFilter& transitions,
           std::span<const TraceCounts::value_type> counts);
  uint64_t bytes() const {
    return entries_.size() * sizeof(Entry) + chains_.capacity() * sizeof(Chain);
  }

 private:
  struct Chain {
    uint32_t latest = kNone;  // The first entry.
    uint32_t count = 0;
  };
  struct FilteredArrival {
    TransitionFilter needs;
    Signature identity;
  };
  Signature ReadyArrivals(const TransitionFilter& transitions) const;
  uint32_t TakeOldest(const Chain& chain);

  std::vector<FilteredArrival> arrivals_;  // Of the environment.
  std::vector<Chain> chains_;              // By prefix.
  Chunks<Entry> entries_;
};

}  // namespace foretell::dir
