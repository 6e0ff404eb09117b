#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/integration/sdk/node/filter_set.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/node/info.h"

namespace foretell::integration::sdk {

// CrystalBall's immediate safety check: would this event break an invariant together with the other
// nodes as the last cut knows them? Pure; belongs to the node's loop.
class SafetyCheck {
 public:
  SafetyCheck(const model::Service& service, model::NodeId self) : service_(service), self_(self) {}

  // Takes effect until the lease is over. A cut without modes ends the check. InvalidArgument, and
  // nothing changes, if the cut is not one of this service.
  absl::Status Set(const snapshot::SafetyCut& cut, Time now);
  // True iff a cut is in force. Once false, it stays false until the next Set.
  bool Active(Time now);
  bool armed() const { return !watched_.empty(); }

  struct Finding {
    snapshot::Mode mode = snapshot::Mode::kOff;  // kOff: nothing found.
    std::string invariant;
  };
  // Compares the node before and after an event. The strongest mode of the invariants that held
  // and are broken now.
  Finding Compare(const model::LiveNode& before, const model::LiveNode& after) const;

 private:
  using Key = std::optional<std::string>;
  struct Watched {
    size_t invariant = 0;
    snapshot::Mode mode = snapshot::Mode::kOff;
    std::vector<Key> keys;  // Of all nodes in the cut; this one's is not used.
  };
  bool Violates(const Watched& watched, const Key& own) const;

  const model::Service& service_;
  model::NodeId self_;
  std::vector<Watched> watched_;
  Time until_{};
};

}  // namespace foretell::integration::sdk
