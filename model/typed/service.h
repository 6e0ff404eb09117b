#pragma once

// The way for a protocol engineer to write a service. `Protocol` is any class with
//
//   struct State {...};   // A value with FORETELL_FIELDS (model/typed/fields.h).
//   using Message = ...;  // A struct or std::variant of structs with FORETELL_FIELDS; omit it if
//                         // the nodes send nothing.
//   using Action = ...;   // Likewise; omit it if the nodes never act by themselves.
//   uint32_t node_count() const;  // Or static constexpr kNodes. Default: 1, if nobody sends.
//   std::vector<TypedInvariant<State>> Invariants() const;  // See model/typed/invariant.h.
//   void OnMessage(State&, NodeId from, const Message&, Context<Message>&) const;
//   std::vector<Action> Actions(NodeId, const State&) const;       // If there is an Action.
//   void OnAction(State&, const Action&, Context<Message>&) const; // If there is an Action.
// OnMessage and OnAction may be overloaded, one for each kind of message or action. Where no action
// has members, Actions may be said kind by kind:
//   bool Can(NodeId, const State&, Kind) const;             // Whether it is possible.
// and, where the defaults do not fit,
//   State Initial(NodeId) const;                            // Default: State{}.
//   std::string Role(NodeId) const;                         // For people: "coordinator".
//   Network network() const;                                // Default: datagrams.
//   FaultBudget faults(NodeId) const;                       // Default: no faults.
//   std::vector<std::vector<NodeId>> Interchangeable() const;  // Default: no two nodes are.
//   State OnCrash(NodeId, const State&) const;              // The survivor. Default: Initial.
//   void OnRestart(State&, Context<Message>&) const;        // Default: nothing.
//   void OnBreak(State&, NodeId peer, Context<Message>&) const;  // Default: nothing.
// and, for services that also run live, where the defaults of model/service.h do not fit,
//   ActionTiming Timing(const Action&) const;
//   uint32_t Weight(const Action&) const;                   // Likewise of Message; for walks.
//   std::vector<Action> Calls(NodeId, const State&) const;
//   std::optional<Action> ParseCall(const std::string&) const;
//   std::optional<std::string> Ask(const State&, const std::string& question) const;
//   std::vector<TypedImagined> Imagine(const TypedCut&) const; // See model/typed/cut.h.
// and, where well-formed bytes are not enough to be handled safely,
//   bool Valid(const State&) const;                         // Likewise of Message and Action.
//
// A protocol that wraps code with a state of its own says what its handlers work on instead of a
// State:
//   using Live = ...;                                       // Movable; const State& state() const.
//   Live Wake(NodeId, State, Life) const;
// OnMessage, OnAction, OnRestart and OnBreak then take a Live&. One Live handles all events of one
// Run, and all of a live node between two crashes.
//
// Handlers may throw, which counts as a broken local assertion; the rest may not.
//
// All of it deterministic and without hidden state: the checker runs a handler once for each
// distinct state and event and remembers the answer.

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/live_node.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/cut.h"
#include "foretell/model/typed/exchanger.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"
#include "foretell/model/typed/kind.h"
#include "foretell/model/typed/protocol_check.h"
#include "foretell/model/typed/protocol_types.h"
#include "foretell/model/typed/render.h"

namespace foretell::model {

template <class Protocol>
class TypedService final : public Service {
 public:
  using State = typename Protocol::State;
  using Message = typename MessageOf<Protocol>::type;
  using Action = typename ActionOf<Protocol>::type;
  using Body = typename LiveOf<Protocol>::type;

  explicit TypedService(Protocol protocol) : protocol_(std::move(protocol)) {
    for (TypedInvariant<State>& invariant : protocol_.Invariants()) {
      if (invariant.goal) {
        goal_names_.push_back({invariant.info.name, invariant.info.text});
        goals_.push_back(std::move(invariant));
      } else {
        infos_.push_back(invariant.info);
        invariants_.push_back(std::move(invariant));
      }
    }
  }

  uint32_t node_count() const override {
    if constexpr (requires { protocol_.node_count(); }) {
      return protocol_.node_count();
    } else if constexpr (requires { Protocol::kNodes; }) {
      return Protocol::kNodes;
    }
    return 1;
  }
  Network network() const override {
    if constexpr (requires { protocol_.network(); }) return protocol_.network();
    return {};
  }
  FaultBudget faults(NodeId node) const override {
    if constexpr (requires { protocol_.faults(node); }) return protocol_.faults(node);
    return {};
  }
  std::span<const InvariantInfo> invariants() const override { return infos_; }

  std::string InitialState(NodeId node) const override { return Encode(InitialOf(node)); }
  bool has_auxiliary() const override { return auxiliary_.any(); }
  std::vector<std::string> claimed_auxiliary() const override { return auxiliary_.claimed(); }
  std::string Relevant(const std::string& state) const override {
    return EncodeRelevant(StateOf(state));
  }

  std::vector<std::vector<NodeId>> Interchangeable() const override {
    if constexpr (requires { protocol_.Interchangeable(); }) return protocol_.Interchangeable();
    return {};
  }
  std::string ExchangedState(const std::string& state, Exchange nodes) const override {
    return ExchangedIn<State>(state, nodes);
  }
  std::string ExchangedMessage(const std::string& body, Exchange nodes) const override {
    return ExchangedIn<Message>(body, nodes);
  }
  std::string ExchangedAction(const std::string& body, Exchange nodes) const override {
    return ExchangedIn<Action>(body, nodes);
  }

  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    return ActionsOf(node, StateOf(state));
  }

  HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                    std::span<const uint32_t> choices) const override {
    Body live = Wake(node, StateOf(state), Life::kRun);
    HandlerResult result;
    for (const Event& event : events) {
      Context<Message> context(node, node_count(), choices);
      result = HandleGuarded(node, live, Life::kRun, event, context);
    }
    result.state = Encode(StateIn(live));
    return result;
  }

  std::optional<std::string> Project(size_t invariant, NodeId node,
                                     const std::string& state) const override {
    return invariants_[invariant].project(node, StateOf(state));
  }
  bool Violates(size_t invariant, std::span<const std::optional<std::string>> keys) const override {
    return invariants_[invariant].violated(keys);
  }

  std::span<const Named> goals() const override { return goal_names_; }
  bool Reached(size_t goal, NodeId node, const std::string& state) const override {
    return goals_[goal].project(node, StateOf(state)).has_value();
  }
  std::string Role([[maybe_unused]] NodeId node) const override {
    if constexpr (requires { protocol_.Role(node); }) return protocol_.Role(node);
    return "";
  }
  std::vector<std::string> message_kinds() const override {
    if constexpr (std::is_same_v<Message, None>) return {};
    return KindsOf<Message>::Names();
  }
  std::vector<std::string> action_kinds() const override {
    if constexpr (std::is_same_v<Action, None>) return {};
    return KindsOf<Action>::Names();
  }
  size_t MessageKind(const std::string& body) const override { return KindsOf<Message>::Of(body); }
  size_t ActionKind(const std::string& body) const override { return KindsOf<Action>::Of(body); }

  std::vector<EventKind> fault_handlers() const override {
    std::vector<EventKind> handled;
    if constexpr (FitsOnCrash<Protocol>) handled.push_back(EventKind::kCrash);
    if constexpr (FitsOnRestart<Protocol>) handled.push_back(EventKind::kRestart);
    if constexpr (FitsOnBreak<Protocol>) handled.push_back(EventKind::kBreak);
    return handled;
  }

  std::vector<Field> RenderState(NodeId, const std::string& state) const override {
    return RenderLeaves(StateOf(state));
  }
  std::string RenderMessage(const std::string& body) const override {
    return RenderLine(*Decode<Message>(body));
  }
  std::string RenderAction(const std::string& body) const override {
    return RenderLine(*Decode<Action>(body));
  }
  std::vector<Field> MessageFields(const std::string& body) const override {
    return RenderLeaves(*Decode<Message>(body));
  }
  std::vector<Field> ActionFields(const std::string& body) const override {
    return RenderLeaves(*Decode<Action>(body));
  }

  bool ValidState(const std::string& state) const override { return IsValid<State>(state); }
  bool ValidMessage(const std::string& body) const override { return IsValid<Message>(body); }
  bool ValidAction(const std::string& body) const override { return IsValid<Action>(body); }

  bool notices_breaks() const override {
    return requires(Body & body, NodeId peer, Context<Message> & context) {
      protocol_.OnBreak(body, peer, context);
    };
  }
  ActionTiming Timing(const std::string& body) const override {
    if constexpr (requires(const Action& a) { protocol_.Timing(a); }) {
      return protocol_.Timing(*Decode<Action>(body));
    }
    return {};
  }
  std::optional<uint32_t> Weight([[maybe_unused]] const Event& event) const override {
    if constexpr (requires(const Action& a) { protocol_.Weight(a); }) {
      if (event.kind == EventKind::kAction) return protocol_.Weight(*Decode<Action>(event.body));
    }
    if constexpr (requires(const Message& m) { protocol_.Weight(m); }) {
      if (event.kind == EventKind::kDeliver) return protocol_.Weight(*Decode<Message>(event.body));
    }
    return std::nullopt;
  }
  bool has_timers() const override {
    return requires(const Action& a) { protocol_.Timing(a); };
  }
  std::vector<std::string> Calls(NodeId node, const std::string& state) const override {
    return CallsOf(node, StateOf(state));
  }
  std::optional<std::string> ParseCall(const std::string& text) const override {
    if constexpr (requires { protocol_.ParseCall(text); }) {
      if (const std::optional<Action> call = protocol_.ParseCall(text)) return Encode(*call);
    }
    return std::nullopt;
  }
  std::unique_ptr<LiveNode> MakeLive(NodeId node, const std::string& state) const override {
    return std::make_unique<Live>(*this, node, StateOf(state));
  }
  std::vector<Imagined> Imagine(const SystemCut& live) const override {
    if constexpr (requires(const TypedCut<State, Message>& c) { protocol_.Imagine(c); }) {
      std::vector<Imagined> spaces;
      for (const auto& space : protocol_.Imagine(DecodeCut<State, Message>(live))) {
        spaces.push_back({EncodeCut(live, space.cut), EncodeCut(live, space.focus), space.text});
      }
      return spaces;
    }
    return Service::Imagine(live);
  }

 private:
  // The service outlives it.
  class Live final : public LiveNode {
   public:
    Live(const TypedService& service, NodeId node, State state)
        : service_(service),
          node_(node),
          body_(service.Wake(node, std::move(state), Life::kNode)) {}
    HandlerResult Handle(const Event& event, const Draw& draw) override {
      Context<Message> context(node_, service_.node_count(), draw);
      return service_.HandleGuarded(node_, body_, Life::kNode, event, context);
    }
    std::string Encode() const override { return EncodeInto(std::string()); }
    std::string EncodeInto(std::string spare) const override {
      // States change little from one time to the next; a bit of air saves the growing.
      const size_t expected = encoded_size_ + encoded_size_ / 64;
      std::string bytes = model::Encode(state(), expected, std::move(spare));
      encoded_size_ = bytes.size();
      return bytes;
    }
    std::string Survivor() const override {
      return model::Encode(service_.SurvivorOf(node_, state()));
    }
    std::vector<std::string> Actions() const override { return service_.ActionsOf(node_, state()); }
    std::vector<std::string> Calls() const override { return service_.CallsOf(node_, state()); }
    std::optional<std::string> Ask(const std::string& question) const override {
      if constexpr (requires { service_.protocol_.Ask(state(), question); }) {
        return service_.protocol_.Ask(state(), question);
      }
      return LiveNode::Ask(question);
    }
    std::optional<std::string> Project(size_t invariant) const override {
      return service_.invariants_[invariant].project(node_, state());
    }
    std::unique_ptr<LiveNode> Clone() const override {
      return std::make_unique<Live>(service_, node_, state());
    }

   private:
    const State& state() const { return StateIn(body_); }

    const TypedService& service_;
    NodeId node_;
    Body body_;
    mutable size_t encoded_size_ = 0;  // When last asked.
  };

  std::vector<std::string> ActionsOf(NodeId node, const State& state) const {
    std::vector<std::string> bodies;
    if constexpr (requires { protocol_.Actions(node, state); }) {
      for (const Action& action : protocol_.Actions(node, state)) bodies.push_back(Encode(action));
    } else if constexpr (HasCan<Protocol>) {
      KindsOf<Action>::ForEach([&](auto kind) {
        if (protocol_.Can(node, state, kind)) bodies.push_back(Encode(Action(kind)));
      });
    }
    return bodies;
  }
  std::vector<std::string> CallsOf(NodeId node, const State& state) const {
    if constexpr (requires { protocol_.Calls(node, state); }) {
      std::vector<std::string> bodies;
      for (const Action& action : protocol_.Calls(node, state)) bodies.push_back(Encode(action));
      return bodies;
    }
    return OnlyCalls(*this, ActionsOf(node, state));
  }

  // The only place where a service's exceptions are caught: a handler that throws is an outcome of
  // the check, not an error of the checker.
  HandlerResult HandleGuarded(NodeId node, Body& body, Life life, const Event& event,
                              Context<Message>& context) const {
    try {
      Handle(node, body, life, event, context);
    } catch (const std::exception& e) {
      context.Require(false, std::string("exception: ") + e.what());
    } catch (...) {
      context.Require(false, "exception of unknown type");
    }
    return context.Take();
  }

  static State StateOf(const std::string& bytes) {
    std::optional<State> state = Decode<State>(bytes);
    FORETELL_CHECK(state.has_value());
    return *std::move(state);
  }

  template <class T>
  static std::string ExchangedIn(const std::string& bytes, Exchange nodes) {
    std::optional<T> value = Decode<T>(bytes);
    FORETELL_CHECK(value.has_value());
    Exchanger(nodes).In(*value);
    return Encode(*value);
  }

  Body Wake(NodeId node, State state, [[maybe_unused]] Life life) const {
    if constexpr (std::is_same_v<Body, State>) {
      return state;
    } else {
      return protocol_.Wake(node, std::move(state), life);
    }
  }
  static const State& StateIn(const Body& body) {
    if constexpr (std::is_same_v<Body, State>) {
      return body;
    } else {
      return body.state();
    }
  }
  State SurvivorOf(NodeId node, [[maybe_unused]] const State& state) const {
    if constexpr (requires { protocol_.OnCrash(node, state); }) {
      return protocol_.OnCrash(node, state);
    } else {
      return InitialOf(node);
    }
  }
  State InitialOf([[maybe_unused]] NodeId node) const {
    if constexpr (requires { protocol_.Initial(node); }) return protocol_.Initial(node);
    return State{};
  }
  template <class T>
  bool IsValid(const std::string& bytes) const {
    const std::optional<T> value = Decode<T>(bytes);
    if constexpr (requires(const T& v) { protocol_.Valid(v); }) {
      return value.has_value() && protocol_.Valid(*value);
    }
    return value.has_value();
  }

  // Calls `handle` with the value, or with the kind of it that it is.
  template <bool kByKind, class T, class F>
  static void VisitKind(const T& value, const F& handle) {
    if constexpr (kByKind && KindsOf<T>::kSeveral) {
      std::visit(handle, value);
    } else {
      handle(value);
    }
  }

  void Handle(NodeId node, Body& state, Life life, const Event& event,
              Context<Message>& context) const {
    switch (event.kind) {
      case EventKind::kDeliver:
        if constexpr (kTalks<Protocol>) {
          VisitKind<kHandlesMessageKinds<Protocol>>(
              *Decode<Message>(event.body), [&](const auto& message) {
                protocol_.OnMessage(state, event.peer, message, context);
              });
        }
        break;
      case EventKind::kAction:
        if constexpr (kActs<Protocol>) {
          VisitKind<kHandlesActionKinds<Protocol>>(
              *Decode<Action>(event.body),
              [&](const auto& action) { protocol_.OnAction(state, action, context); });
        }
        break;
      case EventKind::kCrash: state = Wake(node, SurvivorOf(node, StateIn(state)), life); break;
      case EventKind::kRestart:
        if constexpr (requires { protocol_.OnRestart(state, context); }) {
          protocol_.OnRestart(state, context);
        }
        break;
      case EventKind::kBreak:
        if constexpr (requires { protocol_.OnBreak(state, event.peer, context); }) {
          protocol_.OnBreak(state, event.peer, context);
        }
        break;
    }
  }

  Protocol protocol_;
  const AuxiliaryScan auxiliary_ = AuxiliaryScan::Of<State>();
  std::vector<TypedInvariant<State>> invariants_;
  std::vector<InvariantInfo> infos_;
  std::vector<TypedInvariant<State>> goals_;
  std::vector<Named> goal_names_;
};

template <class Protocol>
std::unique_ptr<Service> MakeService([[maybe_unused]] Protocol protocol) {
  RequireProtocol<Protocol>();
  if constexpr (kIsProtocol<Protocol>) {
    return std::make_unique<TypedService<Protocol>>(std::move(protocol));
  }
  return nullptr;
}

}  // namespace foretell::model
