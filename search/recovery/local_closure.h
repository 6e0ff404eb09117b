#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/budget.h"
#include "foretell/search/recovery/recovery_moves.h"

namespace foretell::search {

// All that each node can do on its own over a network that forgets nothing and where order does not
// matter (I+ of LMC, without histories), counting on what recovery counts on. A superset of what
// the nodes can do together: where no combination satisfies the predicate, none can come about. No
// histories and no footprints, unlike NodeGraphs, so that the result can be checked line by line.
class LocalClosure {
 public:
  // All outlive this.
  LocalClosure(model::InvariantTable& invariants, RecoveryMoves& moves)
      : invariants_(invariants), moves_(moves), nodes_(moves.table().node_count()) {}

  enum class End : uint8_t {
    kHopeless,  // No combination satisfies the predicate.
    kPossible,  // Some does, which says nothing.
    kCutOff,
  };
  // Follows at most `steps_max` steps and judges at most that many combinations.
  End Close(GlobalSpace& space, const GlobalState& start, uint64_t steps_max,
            model::Budget& budget);

  const std::vector<model::StateId>& States(uint32_t node) const { return nodes_[node].states; }
  const std::vector<model::MessageId>& Messages(uint32_t node) const {
    return nodes_[node].messages;
  }
  uint64_t state_count() const;

 private:
  struct Node {
    std::vector<model::StateId> states;
    std::vector<uint32_t> tried;  // By place in `states`: how many messages were delivered there.
    std::vector<model::MessageId> messages;
    absl::flat_hash_map<uint32_t, uint32_t> state_known;
    absl::flat_hash_map<uint32_t, uint32_t> message_known;
  };
  void AddState(uint32_t node, model::StateId state);
  void AddMessage(model::MessageId message);
  bool Advance(uint32_t node, size_t place, model::Budget& budget);
  bool Execute(uint32_t node, model::StateId state, model::EventId event, model::Budget& budget);
  End Combine(uint64_t combinations_max, model::Budget& budget);

  model::InvariantTable& invariants_;
  RecoveryMoves& moves_;
  std::vector<Node> nodes_;
  uint64_t steps_left_ = 0;
};

}  // namespace foretell::search
