#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/id.h"

namespace foretell::integration::sdk {

// Faults that a node inflicts upon the messages it sends, for experiments. Messages to oneself are
// never hit, as in LMC section 5.5.
struct Faults {
  double loss = 0;  // Probabilities.
  double duplicate = 0;
  double reorder = 0;  // Of being held back for one more `delay_max`, or 10 ms if that is nothing.
  std::chrono::microseconds delay_min{0};
  std::chrono::microseconds delay_max{0};
  std::set<uint32_t> partition;  // Peers that are cut off, in both directions.
  uint64_t seed = 1;

  // True iff any message can be hit; else Decide need not be asked.
  bool any() const {
    return loss > 0 || duplicate > 0 || reorder > 0 || delay_max.count() > 0 || !partition.empty();
  }
  bool Cut(model::NodeId peer) const { return partition.count(peer.value()) != 0; }
  friend bool operator==(const Faults&, const Faults&) = default;
};

// Applies words like "loss=0.3 delay=5ms..20ms duplicate=0.01 reorder=0.1 partition=1,2 seed=7" to
// `start`; what is not named stays. "off" takes all faults back, "partition=" heals.
// InvalidArgument says which word is wrong and what would be right.
absl::StatusOr<Faults> ParseFaults(const std::string& words, Faults start, uint32_t node_count);
// The text that ParseFaults reads.
std::string ToString(const Faults& faults);

// After which delays the copies of a message leave; empty if it is lost.
using Departures = std::vector<std::chrono::microseconds>;

// The fate of message number `seq` from `from` to `to`: a function of the seed and these alone, so
// that a run can be repeated whatever the timing.
Departures Decide(const Faults& faults, model::NodeId from, model::NodeId to, uint64_t seq);

}  // namespace foretell::integration::sdk
