#pragma once

// Pastry's join (Rowstron and Druschel, Middleware 2001) as DEMETER checks it (section 5.1): node 0
// is there, the others join through it at any time, each with at most one timeout. Every execution
// is finite.

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "foretell/integration/pastry/leaves/ids.h"
#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::pastry {

// The most significant digit is number 0.
uint32_t Digit(uint32_t id, uint32_t number);
// The number of digits that two different identifiers have in common, from the front.
uint32_t SharedDigits(uint32_t a, uint32_t b);

enum class Bug : uint8_t {
  kNone,
  kBareAck,  // A node that acknowledges a newcomer does not say whom else it knows.
  kHasty,    // After a timeout a node does not wait for acknowledgements any longer.
};

enum class Phase : uint8_t { kOutside, kJoining, kAnnouncing, kActive };

using Nodes = std::set<model::NodeId>;
using Row = std::array<std::optional<model::NodeId>, kBase>;

struct State {
  Phase phase = Phase::kOutside;
  bool may_time_out = false;  // Once.
  uint32_t repairs_left = 0;
  uint32_t probes_left = 0;
  // Row r: nodes that share r digits, by the digit after them.
  std::array<Row, kDigits> table;
  Nodes leaves;   // With three nodes there is room for every other one.
  Nodes waiting;  // Announced to, and nothing heard since.
  FORETELL_FIELDS(phase, may_time_out, repairs_left, probes_left, table, leaves, waiting)
};

// Goes to the node that is closest to `joiner`.
struct JoinRequest {
  model::NodeId joiner;
  FORETELL_FIELDS(joiner)
};
// From a node on the way: whom its row of the table names.
struct TableRow {
  Nodes nodes;
  FORETELL_FIELDS(nodes)
};
// From the last node on the way.
struct LeafSet {
  Nodes nodes;
  FORETELL_FIELDS(nodes)
};
// The sender is there.
struct Announce {};
// To an Announce: the sender knows of the receiver, and of these.
struct Ack {
  Nodes nodes;
  FORETELL_FIELDS(nodes)
};

struct Join {};
struct Timeout {};
// Fills the table from the leaf set.
struct Repair {};
// Sees whether the leaf set is complete.
struct Probe {};

struct Protocol {
  using State = pastry::State;
  using Message = std::variant<JoinRequest, TableRow, LeafSet, Announce, Ack>;
  using Action = std::variant<Join, Timeout, Repair, Probe>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  uint32_t nodes = 2;                             // At most kNodesMax.
  std::array<bool, kNodesMax> timeouts{};         // By node: whether it may have one.
  std::array<uint32_t, kNodesMax> repairs_max{};  // By node.
  std::array<uint32_t, kNodesMax> probes_max{};   // By node.

  uint32_t node_count() const { return nodes; }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  void Handle(State& state, model::NodeId from, const JoinRequest& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const TableRow& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const LeafSet& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Announce& message, Context& context) const;
  void Handle(State& state, model::NodeId from, const Ack& message, Context& context) const;
  void Run(State& state, const Join& action, Context& context) const;
  void Run(State& state, const Timeout& action, Context& context) const;
  void Run(State& state, const Repair& action, Context& context) const;
  void Run(State& state, const Probe& action, Context& context) const;
};

}  // namespace foretell::integration::pastry
