#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/demo/cluster.h"

namespace foretell::agent {

// The time of a cluster of stepped nodes. It passes when this says so, and only when everything
// that follows from the moment before has happened: what a run shows depends on its seeds and not
// on how fast the machine is. Nodes that have ended are left alone.
class ClusterClock {
 public:
  using Micros = std::chrono::microseconds;
  // `cluster` outlives the clock.
  explicit ClusterClock(Cluster& cluster) : cluster_(cluster) {}

  // Lets time pass. All that falls due meanwhile happens, one moment after the other.
  absl::Status Pass(Micros duration);
  // Lets time pass until `holds`, which is asked after every moment, but at most `duration`.
  // True iff it does.
  absl::StatusOr<bool> PassUntil(Micros duration, const std::function<bool()>& holds);
  Micros now() const { return now_; }
  // From now on the clock of `node` is so much ahead of ours, or behind. What it has shown already
  // it does not take back: it stands still instead. A node that was started again is behind by
  // now().
  void Skew(size_t node, Micros ahead) { ahead_[node] = ahead; }

 private:
  // The clocks of the nodes that have not ended, as they say.
  struct Reading {
    std::optional<Micros> next;  // When the first of them has something to do.
    std::vector<uint64_t> work;
    friend bool operator==(const Reading&, const Reading&) = default;
  };
  // With `to`, moves the clocks first.
  absl::StatusOr<Reading> Read(std::optional<Micros> to = std::nullopt);
  // Waits until nothing happens any more without time.
  absl::StatusOr<Reading> AwaitQuiet();

  Cluster& cluster_;
  Micros now_{0};
  std::map<size_t, Micros> ahead_;  // By node; of most nothing.
};

}  // namespace foretell::agent
