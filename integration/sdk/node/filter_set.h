#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/integration/sdk/values/time.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::integration::sdk {

// The vetoes that an agent has asked of a node. Pure; belongs to the node's loop.
class FilterSet {
 public:
  static constexpr std::chrono::hours kLeaseMax{24};

  // Replaces all filters. Fails, and changes nothing, if one is not for this node, does not fit the
  // service, or there are too many. A decision that was there before keeps its count.
  absl::Status Replace(const model::Service& service, model::NodeId self,
                       std::vector<snapshot::Filter> filters, Time now);

  bool empty() const { return entries_.empty(); }

  struct Match {
    // The filter in force, to be obeyed; null if there is none. Valid until the next call.
    const snapshot::Filter* veto = nullptr;
    Time until{};  // When its lease ends.
    uint32_t shadowed = 0;
  };
  // Counts hits; a filter whose lease is over is removed.
  Match Find(const model::Event& event, Time now);

  std::vector<snapshot::FilterHits> hits() const;

 private:
  struct Entry {
    snapshot::Filter filter;
    Time until{};
    uint64_t count = 0;
  };
  std::vector<Entry> entries_;
};

}  // namespace foretell::integration::sdk
