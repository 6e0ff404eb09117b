#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/report.h"
#include "foretell/search/graphs/footprints.h"
#include "foretell/search/graphs/slot_set.h"
#include "foretell/search/graphs/step_graph.h"

namespace foretell::search {

// Every node on its own, under the optimistic assumption that whatever was ever sent may arrive:
// LS and the shared network I+ of the LMC paper (figure 9, section 4.2).
//
// The graphs hold a superset of what the nodes can really do: for every real run, each node's path
// is a path of its graph. Two things keep the superset small and finite. A path does not
// receive a message more often than it can have been sent (histories), and a message does not
// arrive where its footprint says that it cannot exist (footprints.h). Histories are exact
// without being part of a node state's identity: of the paths to a state only the least demanding
// are kept, because whatever is possible after a longer history is possible after a shorter one.
// Where there are too many of those, they are joined into one that allows what any of them allows.
class NodeGraphs final : public StepGraph {
 public:
  // REQUIRES: `start` is valid for the service. The table outlives the graphs.
  NodeGraphs(model::TransitionTable& table, const model::SystemCut& start);

  // Explores until nothing is left to do or the budget is spent; false if it is spent. Paths have
  // at most `local_events_max` events that are not deliveries per node.
  bool Grow(uint32_t local_events_max, model::Budget& budget, const model::ProgressSink& progress);
  // After Grow returned true: whether the bound held anything back. If not, the graphs are closed.
  bool held_back() const { return held_back_; }

  // Orders are those of discovery.
  std::span<const model::StateId> States(model::NodeId node) const override {
    return nodes_[node.index()].states;
  }
  std::span<const model::EventId> Events(model::NodeId node, model::StateId state) const override;
  bool HasEdge(model::NodeId node, model::StateId state, model::EventId event) const override;
  std::span<const model::Step> Successors(model::NodeId node, model::StateId state,
                                          model::EventId event) const override;

  uint64_t transitions() const { return transitions_; }
  uint64_t state_count() const;
  // The longest run these graphs could make up, if all paths could be combined.
  uint64_t depth() const;
  uint64_t bytes() const;

 private:
  // A least demanding way to be in a state.
  struct Config {
    model::StateId state;
    SlotSet consumed;       // On every path it stands for.
    SlotSet sent;           // On every path it stands for.
    SlotSet may_have_sent;  // On some; differs from `sent` only after Join.
    uint32_t local_events = 0;
    uint32_t depth = 0;
    uint32_t tried = 0;  // The number of messages of the node's inbox considered here.
    bool local_done = false;
    bool dead = false;  // A less demanding one took its place.
  };
  // One of those, with a part of what it consumed: that settles most comparisons.
  struct Kept {
    uint32_t config;
    uint64_t consumed_low;
  };
  struct Local {
    bool known = false;
    bool joined = false;  // Had too many configs once; has one ever since.
    std::vector<model::EventId> events;
    std::vector<Kept> configs;
    // Numbers of edges, from 1; 0: none. By place among the local events, and in the inbox.
    std::vector<uint32_t> local_edges;
    std::vector<uint32_t> deliveries;
  };
  struct Blocked {
    uint32_t config;
    uint32_t place;  // Of the message in the inbox.
  };
  struct Node {
    std::vector<model::StateId> states;
    std::vector<Local> local;  // By state.
    std::vector<Config> configs;
    std::vector<model::MessageId> inbox;  // The part of I+ that is addressed to this node.
    std::vector<Blocked> blocked;
    size_t again = 0;  // So many of these, from the front, are to be looked at again.
    std::vector<std::span<const model::Step>> edges;  // By number, less 1.
    uint64_t heap_bytes = 0;                          // Of the sets in configs.
    uint32_t depth = 0;
  };
  // The number of times that a message may be received on one path.
  struct Supply {
    uint32_t in_cut = 0;
    uint32_t sends_max = 0;  // On one path of the sender.
    bool unbounded = false;
  };

  void Tell(model::Budget& budget) const;
  bool Pass(model::Budget& budget);
  bool Advance(model::NodeId node, uint32_t config, model::Budget& budget);
  bool Consider(model::NodeId node, uint32_t config, uint32_t place, model::Budget& budget);
  void LookAtAllAgain();
  bool Retry(model::Budget& budget);
  bool Execute(model::NodeId node, uint32_t config, model::EventId event, uint32_t place,
               model::Budget& budget);
  uint32_t EdgeOf(model::NodeId node, model::StateId state, model::EventId event) const;
  void Follow(model::NodeId node, uint32_t config, model::EventId event, const model::Step& step);
  void Send(Config& after, model::MessageId message);
  void Announce(model::MessageId message);
  void AddConfig(model::NodeId node, Config config);
  Config Join(const Node& node, const Local& local) const;
  bool MayArrive(model::NodeId node, uint32_t config, model::MessageId message);
  Supply& supply(model::MessageId message);

  model::TransitionTable& table_;
  const uint32_t copies_per_send_;
  Footprints footprints_;
  std::vector<Node> nodes_;
  std::vector<Supply> supplies_;                   // By message.
  std::vector<uint32_t> places_;                   // By message: where it is in its inbox.
  const model::ProgressSink* progress_ = nullptr;  // During Grow.
  uint32_t local_events_max_ = 0;
  bool held_back_ = false;
  bool supplies_grew_ = false;
  bool looks_again_ = false;  // Some node has something to look at again.
  bool progressed_ = false;
  uint64_t transitions_ = 0;
};

}  // namespace foretell::search
