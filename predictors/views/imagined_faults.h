#pragma once

// Faults that have not happened: which of them plans are made against, and what plans say of them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::predictors {

// Which faults plans are made against before they have happened.
enum class ImaginedFaults : uint8_t {
  kNever,
  kLikely,  // Those of nodes that are known to fail: who plans says which.
  kAlways,
};
// "never", "likely", "always".
const char* ImaginedFaultsName(ImaginedFaults which);
// InvalidArgument, naming the text and what was expected, if it is none of these.
absl::StatusOr<ImaginedFaults> ParseImaginedFaults(const std::string& text);

// A fault in words: "node 0 crashes"; empty if the step is none.
std::string FaultWords(const model::PathStep& step);
// The faults of a path, each once, in its order.
std::vector<std::string> FaultsIn(const model::Path& path);

// Nodes that are taken to be steady: what has failed there has failed, and nothing more does.
class Steady {
 public:
  Steady() = default;
  // By node; missing: not steady.
  explicit Steady(std::vector<bool> nodes) : nodes_(std::move(nodes)) {}

  bool contains(model::NodeId node) const {
    return node.index() < nodes_.size() && nodes_[node.index()];
  }
  // From now on anything may happen to that node.
  void Remove(model::NodeId node) {
    if (contains(node)) nodes_[node.index()] = false;
  }
  // Those of FaultsIn that steady nodes do not have.
  std::vector<std::string> RuledOut(const model::Path& path) const;

 private:
  std::vector<bool> nodes_;
};

// A service that goes on from `cut`, in which steady nodes have no more faults than they have had.
// But for the resets among `filters`: to a checker they are breaks of streams (FilteredService).
class SteadyService final : public model::ForwardingService {
 public:
  SteadyService(const model::Service& inner, const model::SystemCut& cut, Steady steady,
                const std::vector<snapshot::Filter>& filters);

  model::FaultBudget faults(NodeId node) const override { return faults_[node.index()]; }
  // Without exchanges of nodes that may fail differently.
  std::vector<std::vector<NodeId>> Interchangeable() const override;

 private:
  std::vector<model::FaultBudget> faults_;  // By node.
};

}  // namespace foretell::predictors
