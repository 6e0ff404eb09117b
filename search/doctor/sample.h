#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/search/doctor/field_table.h"
#include "foretell/search/state_search.h"

namespace foretell::search {

// The first states of a system, breadth first, with their auxiliary parts: node states by field,
// and the events that were run in them.
class Sample {
 public:
  // A leaf of a state, and a hash of its value.
  struct Value {
    uint32_t leaf;
    uint64_t hash;
    friend bool operator==(const Value&, const Value&) = default;
  };
  struct Row {
    model::NodeId node;
    model::StateId state;
    std::vector<Value> values;
    uint64_t rest = 0;      // Of the node, its status and its faults.
    uint64_t relevant = 0;  // What the service itself says to be relevant of it.
    std::vector<model::EventId> events;
  };

  // `service` and `fields` outlive it; both may be shared with other samples.
  Sample(std::string scenario, const model::Service& service, const model::SystemCut& start,
         uint32_t states_max, FieldTable& fields, model::Budget& budget);

  const std::string& scenario() const { return scenario_; }
  // What the service does, every time it is asked.
  const model::Service& service() const { return table_.service(); }
  // Whether the service leaves anything out of what is relevant.
  bool has_auxiliary() const { return has_auxiliary_; }
  // Set if the service was caught giving two answers; nothing of it can be believed then.
  const std::optional<std::string>& nondeterminism() const { return table_.nondeterminism(); }
  uint64_t handler_executions() const { return table_.handler_executions(); }
  // Whether there are no other states.
  bool complete() const { return search_.finished(); }
  uint32_t state_count() const { return search_.state_count(); }

  // Node states that can be read: nodes that failed have none.
  std::span<const Row> rows() const { return rows_; }
  // The row of a node state; nothing if it cannot be read, or is none of the sample.
  const Row* RowOf(model::NodeId node, model::StateId state) const;
  model::NodeState StateOf(const Row& row) const { return table_.StateOf(row.node, row.state); }
  model::Event EventOf(model::EventId event) const { return table_.EventOf(event); }
  // Where the first outcome of one of its events leads.
  model::StateId Next(const Row& row, model::EventId event) {
    return table_.Successors(row.node, row.state, event)[0].next;
  }
  std::vector<Value> ValuesOf(model::NodeId node, const std::string& body);

  // A hash of all of a node state but the values of `set`. Equal for states that differ in nothing
  // else; where in the state the fields are still counts.
  uint64_t Without(const Row& row, const FieldSet& set) const;
  // A hash of the values of `set`.
  uint64_t Only(const Row& row, const FieldSet& set) const;
  // How many system states there are if node states that agree on `key` are one.
  template <class Key>
  uint64_t CountStates(Key key) const {
    std::vector<std::vector<uint64_t>> keys(row_of_.size());
    for (size_t n = 0; n < keys.size(); ++n) keys[n].resize(row_of_[n].size());
    for (const Row& row : rows_) keys[row.node.index()][row.state.index()] = key(row);
    return CountStates(keys);
  }

 private:
  void Read(const model::Service& inner);
  uint64_t CountStates(const std::vector<std::vector<uint64_t>>& keys) const;

  const std::string scenario_;
  const bool has_auxiliary_;
  const model::KeptAuxiliary kept_;
  model::TransitionTable table_;
  model::InvariantTable invariants_;
  GlobalSpace space_;
  const SearchOptions options_;
  StateSearch search_;
  FieldTable& fields_;
  std::vector<Row> rows_;
  std::vector<std::vector<uint32_t>> row_of_;  // By node and state; kNone.
};

}  // namespace foretell::search
