#pragma once

// Pastry (Rowstron and Druschel, Middleware 2001) as MaceMC checks it (sections 1 and 2): nodes
// join, keep their leaf sets up to date for ever, and may lose their state and join again with the
// same identifier. Streams.

#include <cstdint>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::pastry::leaves {

enum class Bug : uint8_t {
  kNone,
  kRejoin,        // A node outside drops joins that were passed on to it.
  kNoMerge,       // A member neither takes over leaves it is told of nor learns who asks it.
  kNoRecovery,    // A member that has lost the first node never asks for it again.
  kLostDeferred,  // Who asked before the node was a member never gets an answer.
  kHalfRemoved,   // Who is removed from the leaf set stays in its half.
  kBothSides,     // A node that is up the ring is put on both sides.
};

enum class Phase : uint8_t { kOutside, kJoining, kMember };

using Nodes = std::set<model::NodeId>;

struct State {
  Phase phase = Phase::kOutside;
  Nodes leaves;                        // Has room for every other node.
  Nodes left;                          // Those leaves that are nearer down the ring,
  Nodes right;                         // and those that are nearer up the ring.
  Nodes deferred;                      // Asked to join before this node was a member.
  bool waiting = false;                // For what becomes of its JoinRequest.
  std::optional<model::NodeId> asked;  // For its leaf set, and has not answered yet.
  uint8_t resets_left = 0;
  Nodes open;  // Has a connection to, as far as a reset that may come has to know.
  FORETELL_FIELDS(phase, leaves, left, right, deferred, waiting, asked, resets_left, open)
};

// Goes to the node that is closest to `joiner`, which then answers it.
struct JoinRequest {
  model::NodeId joiner;
  FORETELL_FIELDS(joiner)
};
// The leaf set of the sender.
struct LeafsetInfo {
  Nodes leaves;
  FORETELL_FIELDS(leaves)
};
struct LeafsetRequest {};
// The sender is a member.
struct Inform {};
// The sender is no member; the request of `joiner` that was passed on to it has to go elsewhere.
struct Remove {
  model::NodeId joiner;
  FORETELL_FIELDS(joiner)
};
// The connection is lost: the sender has lost its state.
struct Gone {};

struct Join {};      // Call.
struct Retry {};     // Timer: asks again to join.
struct Maintain {};  // Timer: asks one of its leaves for the leaf set.
struct Recover {};   // Timer: asks the first node to join, of which this member has lost sight.
struct Reset {};     // Adverse: loses all state.

struct Protocol {
  using State = leaves::State;
  using Message = std::variant<JoinRequest, LeafsetInfo, LeafsetRequest, Inform, Remove, Gone>;
  using Action = std::variant<Join, Retry, Maintain, Recover, Reset>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  uint32_t nodes = 2;              // At most kNodesMax.
  std::optional<uint32_t> resets;  // The node that may lose its state, once.
  bool idle = false;  // Connections are idle: nobody notices that the other end has lost its state.

  uint32_t node_count() const { return nodes; }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(model::NodeId node) const;
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message, Context& context) const;
  // Live only, where a peer that loses its state breaks its streams instead of sending Gone.
  void OnBreak(State& state, model::NodeId peer, Context& context) const;
  model::ActionTiming Timing(const Action& action) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;
  bool Valid(const State& state) const;
  bool Valid(const Message& message) const;
};

}  // namespace foretell::integration::pastry::leaves
