#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/event.h"
#include "foretell/model/liveness/fairness.h"
#include "foretell/search/fairness/fair_graph.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

// A way into a cycle, and one round of it.
struct Lasso {
  model::Path path;
  size_t cycle_from = 0;  // The first step of the round, from 0.
};

// Looks for cycles among the states that a search knows. What a bound cut off can be part of none:
// a cycle that is found is real, whether or not the search has ended; that there is none is true of
// what was searched.
class LassoSearch {
 public:
  // All outlive this. Steps are those that `moves` follows, states those for which `stays` is true
  // of their number. REQUIRES: `fairness` is not kNone.
  LassoSearch(GlobalSpace& space, StateSearch& search, const MoveFilter& moves,
              model::Fairness fairness, std::function<bool(uint32_t)> stays);

  // A cycle that is fair. Nothing if there is none, or if the budget ends, which then is spent.
  std::optional<Lasso> Find(model::Budget& budget);
  uint32_t state_count() const { return graph_.vertex_count(); }

 private:
  // One thing that can happen, and what it has to do with promises.
  struct Taken {
    model::NodeId node;
    model::EventId event;
    model::Step step;
  };
  using Key = std::vector<uint32_t>;

  bool LosesMessages() const;
  uint32_t PromiseOf(Key key, FairGraph::Promise promise);
  uint32_t HappensPromise(model::NodeId node, model::EventId event);
  uint32_t ArrivesPromise(model::MessageId message);
  uint32_t OutcomePromise(model::NodeId node, model::EventId event, const model::Step& step);
  std::vector<Taken> StepsFrom(const GlobalState& state);
  void AddState(const GlobalState& state);
  void AddStep(const GlobalState& state, const Taken& taken, const std::vector<Taken>& all);
  Lasso LassoOf(const std::vector<uint32_t>& cycle);

  GlobalSpace& space_;
  StateSearch& search_;
  const MoveFilter& moves_;
  const model::Fairness fairness_;
  const bool streams_;
  const std::function<bool(uint32_t)> stays_;
  std::vector<uint32_t> states_;                       // By vertex: its number in the search.
  absl::flat_hash_map<uint32_t, uint32_t> vertex_of_;  // And the other way round.
  std::vector<Taken> taken_;                           // By edge.
  absl::flat_hash_map<Key, uint32_t> promises_;
  FairGraph graph_;
};

}  // namespace foretell::search
