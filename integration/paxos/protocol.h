#pragma once

// Multi-decree Paxos: every node is proposer, acceptor and learner. Messages to oneself go through
// the network too, as in the state spaces of the LMC paper (section 5).

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "foretell/integration/paxos/log.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::paxos {

inline constexpr uint32_t kNodes = 3;  // Unless somebody says otherwise.
inline constexpr uint32_t kNodesMax = 9;

struct Protocol {
  struct State {
    // The number of proposals that the test driver (LMC section 4.2) still makes here.
    uint32_t proposals_left = 0;
    // From a live cut: the indexes for which the test driver proposes here, once each.
    std::set<uint32_t> imagined;
    Log log;
    FORETELL_FIELDS(proposals_left, imagined, log)
  };
  // The application asks for its node's value, which is the node's number + 1.
  struct Propose {
    uint32_t index = 0;
    FORETELL_FIELDS(index)
  };
  using Message = paxos::Message;
  using Action = Propose;
  using Cut = model::TypedCut<State, Message>;
  using Imagined = model::TypedImagined<State, Message>;

  Rules rules;  // But for the number of nodes.
  uint32_t nodes = kNodes;
  std::array<uint32_t, kNodesMax> proposals_max = {};
  std::array<uint8_t, kNodesMax> crashes_max = {};
  uint32_t window = 0;  // Live: how many instances a node keeps. 0: not live, keeps all.

  uint32_t node_count() const { return nodes; }
  model::FaultBudget faults(model::NodeId node) const {
    return {.crashes_max = crashes_max[node.index()]};
  }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  State OnCrash(model::NodeId node, const State& state) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

  // Live: the application may always propose, for a recent index that is not learned here, oldest
  // first, or for a new one.
  std::vector<Action> Calls(model::NodeId node, const State& state) const;
  // Proposals for recent indexes that not every node has learned (LMC section 4.2). Each space
  // looks at one index: instances do not interact.
  std::vector<Imagined> Imagine(const Cut& live) const;

 private:
  Rules RulesHere() const {
    Rules here = rules;
    here.node_count = nodes;
    return here;
  }
};

}  // namespace foretell::integration::paxos
