#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/event.h"
#include "foretell/model/id.h"
#include "foretell/model/scope.h"

namespace foretell::model {

enum class NetworkKind : uint8_t {
  kDatagrams,  // Unordered. A message can be lost (it is then simply never delivered).
  kStreams,    // First in, first out per pair of nodes; a break loses what is in flight.
};

struct Network {
  NetworkKind kind = NetworkKind::kDatagrams;
  uint32_t duplicates_max = 0;  // Datagrams: how often a sent message can arrive beyond the first.
};

// A property that must hold. An invariant sees node states only through its projection, so that
// checkers know which combinations of nodes can break it at all (LMC section 4.1, generalised).
struct InvariantInfo {
  std::string name;  // lower-case-with-dashes.
  std::string text;  // One sentence.
  Scope scope = Scope::kSystem;
  // Once violated, violated for ever, whatever happens next, faults included. A wrong claim makes
  // reduced searches miss violations, unless a probe of it notices (predictors/coverage). Handlers
  // that fail need no thought: where a node may fail, and be seen no more, no invariant is taken to
  // be stable.
  bool stable = false;
  // A liveness predicate: must hold eventually. Safety checkers skip these.
  bool eventually = false;
  // Must hold only in terminal states: no event is possible, faults included, and nothing is in
  // flight. Whether it is stable does not matter then.
  bool when_stuck = false;
};

// A name that users type or read, with its meaning.
struct Named {
  std::string name;
  std::string text;  // One line.
};

// One named leaf of a state, for people: {"accepted.ballot", "2"}.
struct Field {
  std::string name;
  std::string value;
  friend bool operator==(const Field&, const Field&) = default;
};

struct Send {
  NodeId to;
  std::string body;
  friend auto operator<=>(const Send&, const Send&) = default;
};

// The result of one run of a handler.
struct HandlerResult {
  std::string state;
  std::vector<Send> sends;
  std::vector<uint32_t> choices_offered;  // The k of each call of Choose(k), in order.
  // What was chosen, for people: a text for each call, empty where the handler gave none. Empty if
  // it gave none at all.
  std::vector<std::string> choice_labels;
  // The weight of what was chosen, for each call of Choose that had weights, else 1. Empty if all
  // are 1. A weight of 0: possible, and adverse (see ActionTiming::adverse).
  std::vector<uint32_t> choice_weights;
  std::string failure;  // Text of a broken local assertion or a thrown exception; empty if none.
  // Bodies of actions whose timers start afresh, although they stay enabled. Live hosts only: to a
  // checker an enabled timer may fire at any time.
  std::vector<std::string> restarted;
};

// The origin and the delay of an action in a live system; to a checker all are alike.
struct ActionTiming {
  enum class Origin : uint8_t { kCall, kTimer };
  Origin origin = Origin::kCall;
  std::chrono::milliseconds delay{0};  // kTimer: from being enabled to firing.
  // kTimer: up to this much is added at random, so that nodes with equal delays do not fire in
  // step. Default: a quarter of the delay.
  std::optional<std::chrono::milliseconds> spread;
  // True iff it may be kept from happening. False for what cannot wait, like the end of a disk
  // write, and for a call that is one of many alike, where to refuse one is in vain.
  bool vetoable = true;
  // True for what goes wrong without being a fault of the model: a give-up, a disk error, a reset
  // that the protocol makes by itself. It may happen at any time, and nobody may count on it: a
  // system that needs it to recover is dead (search/liveness).
  bool adverse = false;
};

// Draws one of 0 .. k-1 for a live node.
using Draw = std::function<uint32_t(uint32_t k)>;

// One node that lives: the same handlers, on a state object that is encoded only when asked. Not
// for several threads.
class LiveNode {
 public:
  virtual ~LiveNode() = default;
  // Runs the handler of `event`; `state` of the result stays empty. After a failure the state is
  // unspecified.
  virtual HandlerResult Handle(const Event& event, const Draw& draw) = 0;
  virtual std::string Encode() const = 0;
  // The same, in the memory of `spare` if that is of use; what is in it does not matter.
  virtual std::string EncodeInto(std::string spare) const;
  virtual std::string Survivor() const = 0;  // The state that a crash now would leave.
  virtual std::vector<std::string> Actions() const = 0;
  virtual std::vector<std::string> Calls() const = 0;
  // Answers an application's question about its state; nothing if it is not understood.
  virtual std::optional<std::string> Ask(const std::string& question) const;
  virtual std::optional<std::string> Project(size_t invariant) const = 0;
  virtual std::unique_ptr<LiveNode> Clone() const = 0;
};

// A space worth checking from a live cut.
struct Imagined {
  SystemCut cut;     // The live cut; only what the test driver may still do differs.
  SystemCut focus;   // `cut` without what does not matter. Every path from here is one from `cut`.
  std::string text;  // The imagined events, for people: "node 1 proposes for index 7".
};

// A distributed system, type-erased: handlers over canonical bytes, and what must hold. Protocol
// authors write a typed service instead (model/typed/service.h).
//
// Contract: every function is deterministic and depends on its arguments only. Functions may be
// called from several threads at once. Bodies handed in were produced by this service (live bodies
// are validated with Validate* first).
class Service {
 public:
  virtual ~Service() = default;

  virtual uint32_t node_count() const = 0;
  virtual Network network() const = 0;
  virtual FaultBudget faults(NodeId node) const = 0;
  virtual std::span<const InvariantInfo> invariants() const = 0;

  virtual std::string InitialState(NodeId node) const = 0;
  // Bodies of the internal actions enabled in `state`, in a fixed order, without repetition.
  virtual std::vector<std::string> Actions(NodeId node, const std::string& state) const = 0;
  // Runs the handlers of `events` one after the other on one live state object, starting from
  // `state`, and reports on the last. Only the last may call Choose; its i-th call returns
  // choices[i], or 0 beyond the end. For kCrash the result is what survives.
  // More than one event is used only to find state that the encoding does not capture.
  virtual HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                            std::span<const uint32_t> choices) const = 0;

  // A state without its auxiliary part, on which nothing depends: states with the same relevant
  // part enable the same events, and go on to states with the same relevant part, sending the same
  // and looking the same to all invariants (DBSS, definition 1). Checkers take them for one.
  virtual std::string Relevant(const std::string& state) const { return state; }
  // False only if Relevant is the identity.
  virtual bool has_auxiliary() const { return false; }
  // Names of fields that are left out by Relevant on somebody's word, as RenderState has them; an
  // audit tests it. What cannot be read at all is not among them.
  virtual std::vector<std::string> claimed_auxiliary() const { return {}; }

  // Classes of nodes that are interchangeable: with two nodes of one class exchanged wherever they
  // are named, all that can happen still can, and what must hold still must. Whoever uses that
  // checks it for all that it runs (search/symmetry). Every node is in at most one class.
  virtual std::vector<std::vector<NodeId>> Interchangeable() const { return {}; }
  // The same bodies with two nodes exchanged, wherever they name them. Default: they name none.
  virtual std::string ExchangedState(const std::string& state, Exchange nodes) const;
  virtual std::string ExchangedMessage(const std::string& body, Exchange nodes) const;
  virtual std::string ExchangedAction(const std::string& body, Exchange nodes) const;

  // The part of a node's state that invariants()[invariant] looks at; nothing if the node cannot
  // contribute to a violation. `state` is what survived if the node is down.
  virtual std::optional<std::string> Project(size_t invariant, NodeId node,
                                             const std::string& state) const = 0;
  // True iff projections violate the invariant. kNode: keys has one element, kPair: two (of nodes
  // a < b), both present; kSystem: one per node, absent ones included.
  virtual bool Violates(size_t invariant,
                        std::span<const std::optional<std::string>> keys) const = 0;

  // What some run should reach at some node, or the check says little. Not a property that must
  // hold: a goal that was never reached is told, and is no violation.
  virtual std::span<const Named> goals() const { return {}; }
  virtual bool Reached(size_t goal, NodeId node, const std::string& state) const;

  // The part that `node` plays: "coordinator". Empty if it has no name.
  virtual std::string Role(NodeId node) const;
  // The kinds of messages and actions that there are; empty if they are not told apart.
  virtual std::vector<std::string> message_kinds() const { return {}; }
  virtual std::vector<std::string> action_kinds() const { return {}; }
  // An index into message_kinds() or action_kinds(). REQUIRES: there are any.
  virtual size_t MessageKind(const std::string& body) const;
  virtual size_t ActionKind(const std::string& body) const;

  // Faults, and restarts, for which the protocol has a handler of its own: one that no budget lets
  // happen is worth telling.
  virtual std::vector<EventKind> fault_handlers() const { return {}; }

  virtual std::vector<Field> RenderState(NodeId node, const std::string& state) const = 0;
  virtual std::string RenderMessage(const std::string& body) const = 0;
  virtual std::string RenderAction(const std::string& body) const = 0;
  // The named leaves of a message or an action, for scripts: {"ballot", "2"}. Empty if it has none,
  // or does not tell them apart.
  virtual std::vector<Field> MessageFields(const std::string& body) const;
  virtual std::vector<Field> ActionFields(const std::string& body) const;

  // True iff bytes from outside are a well-formed state, message or action of this service.
  virtual bool ValidState(const std::string& state) const = 0;
  virtual bool ValidMessage(const std::string& body) const = 0;
  virtual bool ValidAction(const std::string& body) const = 0;

  // From here on: what only live systems need.

  // Streams: whether a node that is told of a break, which is an event, does anything about it. If
  // none ever does, then nobody can tell a break from messages that got lost.
  virtual bool notices_breaks() const { return true; }
  // The timing of the action `body`.
  virtual ActionTiming Timing(const std::string& body) const;
  // How often `event` happens in real runs, against others; nothing: as usual for its kind. Random
  // walks go by it, no verdict does.
  virtual std::optional<uint32_t> Weight(const Event& event) const;
  // False only if no action is ever a timer; a live host then need not look for them.
  virtual bool has_timers() const { return true; }
  // The calls that the application may make in `state`. Need not be among Actions, which are what a
  // checker imagines. Default: the Actions that are calls.
  virtual std::vector<std::string> Calls(NodeId node, const std::string& state) const;
  // The call that `text` spells out, for calls whose arguments are the application's own: Calls
  // then has but one example. Nothing if there is no such call; need not be a ValidAction.
  virtual std::optional<std::string> ParseCall(const std::string& text) const;
  virtual std::unique_ptr<LiveNode> MakeLive(NodeId node, const std::string& state) const;
  // The test driver (LMC section 4.2): the spaces worth checking from `live`, smallest first.
  // Default: `live` as it is.
  virtual std::vector<Imagined> Imagine(const SystemCut& live) const;
};

}  // namespace foretell::model
