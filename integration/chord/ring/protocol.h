#pragma once

// Chord (Stoica et al., Transactions on Networking 2003) as MaceMC checks it (section 6): nodes
// join a ring and stabilise for ever, and a node may lose its state and join again. Streams.

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

namespace foretell::integration::chord::ring {

enum class Bug : uint8_t {
  kNone,
  kSelfLoop,       // Whoever becomes the predecessor is not learnt of as a successor.
  kNoNotify,       // A node that learns of a nearer successor does not tell it.
  kMuteOutsider,   // A node outside does not answer GetPred.
  kDeafBootstrap,  // Who asked before the node was a member never gets an answer.
  kStuckPair,      // A node that loses its only neighbour is its own successor, and no more.
  kLostAlone,      // A node that is alone looks for a next hop.
  kOwnSuccessor,   // A joiner takes over the successor it is told of, even if that is itself.
};

enum class Phase : uint8_t { kOutside, kJoining, kMember };

using Nodes = std::set<model::NodeId>;

struct State {
  Phase phase = Phase::kOutside;
  std::optional<model::NodeId> predecessor;
  model::NodeId successor;              // Of members; else itself.
  std::optional<model::NodeId> asked;   // GetPred, and has not answered yet.
  bool waiting = false;                 // For the answer to its FindPred.
  std::optional<model::NodeId> source;  // Through whom it joins.
  Nodes queue;                          // Asked to join before this node was a member.
  uint8_t resets_left = 0;
  Nodes open;  // Has a connection to, as far as a reset that may come has to know.
  FORETELL_FIELDS(phase, predecessor, successor, asked, waiting, source, queue, resets_left, open)
};

// Asks for the predecessor of `who`. Goes round until somebody is it, which then answers `who`.
struct FindPred {
  model::NodeId who;
  FORETELL_FIELDS(who)
};
// The sender is the predecessor, this was its successor so far.
struct FindPredReply {
  model::NodeId successor;
  FORETELL_FIELDS(successor)
};
struct GetPred {};
struct GetPredReply {
  std::optional<model::NodeId> predecessor;
  FORETELL_FIELDS(predecessor)
};
// The sender may be the receiver's predecessor.
struct UpdatePred {};
// The sender is no member; the FindPred of `who` that was passed on to it has to go elsewhere.
struct Remove {
  model::NodeId who;
  FORETELL_FIELDS(who)
};
// The connection is lost: the sender has lost its state.
struct Gone {};

struct Join {};       // Call.
struct Retry {};      // Timer: asks again to join.
struct Stabilize {};  // Timer: asks the successor for its predecessor.
struct Reset {};      // Adverse: loses all state.

struct Protocol {
  using State = ring::State;
  using Message =
      std::variant<FindPred, FindPredReply, GetPred, GetPredReply, UpdatePred, Remove, Gone>;
  using Action = std::variant<Join, Retry, Stabilize, Reset>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  uint32_t nodes = 3;
  bool any_source = false;  // Nodes join through any node with a lower number; else through node 0.
  std::optional<uint32_t> resets;  // The node that may lose its state, once.

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

}  // namespace foretell::integration::chord::ring
