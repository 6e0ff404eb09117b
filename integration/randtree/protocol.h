#pragma once

// RandTree as MaceMC tells of it (sections 2 and 6): nodes that know few others become one tree,
// whose root is the node with the smallest number.

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

namespace foretell::integration::randtree {

using model::NodeId;

enum class Bug : uint8_t {
  kNone,
  kInitIgnoresReply,  // An outsider ignores a JoinReply instead of taking itself out of the tree.
  kForgetsRecovery,   // Who gets a child while joining has no recovery timer.
  kKeepsSilent,       // A member ignores a JoinReply of another parent.
  kRemoveOnlyJoined,  // Who is joining ignores that a child leaves.
  kNoRejoin,          // A parent does not tell a node that it does not know.
  kOldRoot,           // Who has lost its root waits for it.
  kAnyOrder,          // A root takes smaller nodes for children, too, and goes on joining others.
  kKeepsParent,       // Who has to join again does not forget its parent.
};

enum class Phase : uint8_t { kOutside, kJoining, kJoined };

struct State {
  Phase phase = Phase::kOutside;
  std::optional<NodeId> root;    // Not outside.
  std::optional<NodeId> parent;  // Of members that are no root.
  std::set<NodeId> children;
  std::set<NodeId> peers;  // Others to join through, and to look for other trees at.
  bool join_timer = false;
  bool recovery_timer = false;
  bool asking = false;       // A Join of its own is under way.
  std::set<NodeId> probing;  // An answer to a Probe or a Ping is due.
  std::set<NodeId> open;     // Where it can reset: those with which it has exchanged messages.
  uint32_t resets = 0;       // That can still happen.
  FORETELL_FIELDS(phase, root, parent, children, peers, join_timer, recovery_timer, asking, probing,
                  open, resets)
};

// `source` wants a parent. Goes up to the root, and from there down to where there is room; then
// `down` has the root.
struct Join {
  NodeId source;
  std::optional<NodeId> down;
  FORETELL_FIELDS(source, down)
};
enum class Reply : uint8_t {
  kAccepted,  // You are my child.
  kForce,     // You are smaller: I join you.
  kLoop,      // You are my root.
  kRefused,   // Not now: I am outside, or you are my child already.
};
struct JoinReply {
  Reply reply = Reply::kRefused;
  std::optional<NodeId> root;
  FORETELL_FIELDS(reply, root)
};
// I am not your child.
struct Remove {};
// The sender's root, in search of other trees.
struct Probe {
  NodeId root;
  FORETELL_FIELDS(root)
};
// There is a tree with a smaller root.
struct ProbeJoin {
  NodeId root;
  FORETELL_FIELDS(root)
};
struct NewRoot {
  NodeId root;
  FORETELL_FIELDS(root)
};
// Am I your child?
struct Ping {};
struct Pong {};
struct Rejoin {};
// The sender has lost all it knew.
struct Gone {};

struct JoinOverlay {};  // The application's call.
struct JoinTimeout {};
struct Recover {};
struct Reset {};  // A node loses all it knows. Nobody may count on it.

struct Protocol {
  using State = randtree::State;
  using Message =
      std::variant<Join, JoinReply, Remove, Probe, ProbeJoin, NewRoot, Ping, Pong, Rejoin, Gone>;
  using Action = std::variant<JoinOverlay, JoinTimeout, Recover, Reset>;
  using Context = model::Context<Message>;

  Bug bug = Bug::kNone;
  std::vector<std::set<NodeId>> peers;  // By node: whom it knows at first.
  uint32_t children_max = 2;
  std::set<NodeId> resets;  // Who can reset, once.
  // Timers wait for answers that are due, and do not flood streams. Live, where a Join can get lost
  // with a node that passes it on, they do not wait.
  bool patient = true;

  uint32_t node_count() const { return static_cast<uint32_t>(peers.size()); }
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(NodeId node) const;
  std::vector<Action> Actions(NodeId node, const State& state) const;
  model::ActionTiming Timing(const Action& action) const;
  void OnAction(State& state, const Action& action, Context& context) const;
  void OnMessage(State& state, NodeId from, const Message& message, Context& context) const;
  State OnCrash(NodeId node, const State& state) const;
  void OnRestart(State& state, Context& context) const;
  void OnBreak(State& state, NodeId peer, Context& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;
  // Nobody names a node that does not exist, and who is in or joining has a root.
  bool Valid(const State& state) const;
  bool Valid(const Message& message) const;

 private:
  // Joining: join.cc.
  void Run(State& state, const JoinOverlay& action, Context& context) const;
  void Run(State& state, const JoinTimeout& action, Context& context) const;
  void Handle(State& state, NodeId from, const Join& message, Context& context) const;
  void Handle(State& state, NodeId from, const JoinReply& message, Context& context) const;
  void Handle(State& state, NodeId from, const Remove& message, Context& context) const;
  void TakeIn(State& state, const Join& message, Context& context) const;
  void Accepted(State& state, NodeId from, NodeId root, Context& context) const;
  void Settle(State& state) const;
  void BecomeRoot(State& state, Context& context) const;
  void StartJoin(State& state, NodeId to, Context& context) const;
  void SetRoot(State& state, NodeId root, Context& context) const;

  // Recovery: recovery.cc.
  void Run(State& state, const Recover& action, Context& context) const;
  void Run(State& state, const Reset& action, Context& context) const;
  void Handle(State& state, NodeId from, const Probe& message, Context& context) const;
  void Handle(State& state, NodeId from, const ProbeJoin& message, Context& context) const;
  void Handle(State& state, NodeId from, const NewRoot& message, Context& context) const;
  void Handle(State& state, NodeId from, const Ping& message, Context& context) const;
  void Handle(State& state, NodeId from, const Pong& message, Context& context) const;
  void Handle(State& state, NodeId from, const Rejoin& message, Context& context) const;
  void Handle(State& state, NodeId from, const Gone& message, Context& context) const;
  std::vector<NodeId> Strangers(const State& state) const;
  void JoinSmaller(State& state, NodeId root, Context& context) const;

  // One of `nodes`, of which there are some.
  static NodeId AnyOf(const std::vector<NodeId>& nodes, Context& context);
  bool Exists(const std::optional<NodeId>& node) const;
  // Sends, and remembers with whom messages were exchanged.
  void Send(State& state, NodeId to, const Message& message, Context& context) const;
};

// What a tree is (invariants.cc).
std::vector<model::TypedInvariant<State>> TreeInvariants();

}  // namespace foretell::integration::randtree
