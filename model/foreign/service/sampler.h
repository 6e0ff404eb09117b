#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "foretell/model/event.h"
#include "foretell/model/foreign/carriers/carrier.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::model::foreign {

// Has a sample of all runs of handlers repeated by another process. Asking twice in one process
// does not find what every process decides for itself: seeds of hashes, the order of maps,
// addresses.
class Sampler {
 public:
  struct Run {
    NodeId node;
    Event event;  // The last of them.
    std::string request;
    std::string reply;
  };

  // `elsewhere` outlives it. `open` is the request that opens `system`.
  Sampler(Carrier& elsewhere, uint32_t system, std::string open);
  ~Sampler();

  // A run, and its answer. Returns a run that another process answered differently: perhaps an
  // earlier one, for they are compared in batches. A request that comes again is an audit's, which
  // comes at the end of a search: then all are compared. For several threads at once.
  std::optional<Run> Add(NodeId node, const Event& event, std::string_view request,
                         std::string_view reply) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::optional<Run> Compare(const std::vector<Run>& runs) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The replies of the other process; none if it has trouble of its own.
  std::vector<std::string> Repeat(const std::vector<Run>& runs)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::string> RepeatOneByOne(const std::vector<Run>& runs)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Carrier& elsewhere_;
  const uint32_t system_;
  const std::string open_;
  Mutex mutex_;
  bool opened_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t runs_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_set<uint64_t> known_ ABSL_GUARDED_BY(mutex_);  // Requests, as hashes.
  std::vector<Run> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::model::foreign
