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

// The vetoes that one agent has asked of a node. Pure; belongs to the node's loop.
class FilterSet {
 public:
  static constexpr std::chrono::hours kLeaseMax{24};

  // Replaces all filters. Fails, and changes nothing, if one is not for this node, does not fit the
  // service, or there are too many. A decision that was there before keeps its count.
  absl::Status Replace(const model::Service& service, model::NodeId self,
                       std::vector<snapshot::Filter> filters, Time now);

  // Takes all of `other`, which is empty then, with their leases and counts.
  void Take(FilterSet& other);

  bool empty() const { return entries_.empty(); }
  bool Any(Time now) const;  // True iff one is in force.
  size_t size() const { return entries_.size(); }
  bool HasDecision(const std::string& decision) const;
  // Those in force, each with the lease that is left.
  std::vector<snapshot::Filter> InForce(Time now) const;

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
