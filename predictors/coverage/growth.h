#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/coverage/coverage.h"

namespace foretell::predictors {

// Looks for fields that keep growing while a search goes on. Runs of a node's handlers are divided
// into windows, each twice as long as the one before; of each some states are looked at, and only
// the largest value of every field is kept. For several threads.
class GrowthWatch {
 public:
  // The service outlives this.
  explicit GrowthWatch(const model::Service& service);

  // Tells of one more state that a handler left at `node`.
  void See(model::NodeId node, const std::string& state);

  // The fields that grew in each of the last windows, by node and name.
  std::vector<Growth> Growing() const;

 private:
  static constexpr size_t kWindows = 64;
  // Numbers by their value; all else by its length, containers by their number of elements.
  struct Track {
    bool number = true;
    std::array<uint64_t, kWindows> value = {};
    std::array<uint64_t, kWindows> length = {};
  };
  struct Node {
    std::atomic<uint64_t> seen = 0;
    model::Mutex mutex;
    std::map<std::string, Track> fields ABSL_GUARDED_BY(mutex);
  };

  void Sample(model::NodeId node, const std::string& state, size_t window);

  const model::Service& service_;
  mutable std::vector<Node> nodes_;
};

}  // namespace foretell::predictors
