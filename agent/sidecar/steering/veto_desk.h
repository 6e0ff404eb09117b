#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/snapshot/node/filter.h"

namespace foretell::agent {

// The vetoes in force: which filters the nodes hold, since which decision, until when. Pure; one
// thread at a time.
class VetoDesk {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Options {
    std::chrono::milliseconds lease{5000};
    size_t filters_max = 16;
    std::string decision_prefix;  // Makes decisions of this run of the agent unique.
  };
  explicit VetoDesk(Options options) : options_(std::move(options)) {}

  enum class Action : uint8_t {
    kApplied,
    kRenewed,
    kRemoved,    // Not needed any more.
    kExpired,    // Its lease ended; the nodes have dropped it by themselves.
    kRefused,    // There are too many already.
    kTakenOver,  // From an earlier life of this agent, with the lease that is left.
  };
  struct Change {
    Action action = Action::kApplied;
    snapshot::Filter filter;
  };

  // Takes the filters that a round asks for. Filters that were there before keep their decision and
  // get a new lease. Filters that are not asked for any more are removed if the round was
  // conclusive, that is if it covered all that it imagined; else they are left to their leases. Of
  // the changes, the last are one per wanted filter, in the same order.
  std::vector<Change> Update(const std::vector<snapshot::Filter>& wanted, bool conclusive,
                             uint64_t round, Time now);
  // How many of `wanted` are not there yet.
  size_t CountNew(const std::vector<snapshot::Filter>& wanted) const;
  // Nodes hold `filters` from now on because of this agent. Those that are not to be kept, or too
  // many, end when the nodes are told what is in force (ByNode).
  std::vector<Change> TakeOver(const std::vector<snapshot::Filter>& filters, Time now);
  // Takes all back.
  std::vector<Change> Clear();

  // The filters that each node is to hold now, with the lease that is left.
  std::vector<std::vector<snapshot::Filter>> ByNode(size_t node_count, Time now) const;

  struct Veto {
    snapshot::Filter filter;
    Time until;
  };
  const std::vector<Veto>& vetoes() const { return vetoes_; }

 private:
  Options options_;
  std::vector<Veto> vetoes_;
};

const char* ActionName(VetoDesk::Action action);

}  // namespace foretell::agent
