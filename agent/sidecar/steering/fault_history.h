#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/predictors/views/imagined_faults.h"

namespace foretell::agent {

// What the agent has seen of nodes that fail. Pure; one thread at a time.
class FaultHistory {
 public:
  using Time = std::chrono::steady_clock::time_point;
  // A node that has failed once is likely to fail again for so long.
  static constexpr std::chrono::minutes kLikelyFor{10};

  explicit FaultHistory(size_t nodes) : nodes_(nodes) {}

  // The node has answered; `reborn`: in another life than before.
  void Answered(model::NodeId node, bool reborn, Time now);
  // Nobody listens there. That counts once the node has answered: before, it may be yet to start.
  void Gone(model::NodeId node, Time now);

  // The nodes whose faults are not planned against.
  predictors::Steady SteadyNodes(predictors::ImaginedFaults which, Time now) const;

 private:
  struct Node {
    bool answered = false;
    std::optional<Time> failed;  // Last.
  };
  std::vector<Node> nodes_;
};

}  // namespace foretell::agent
