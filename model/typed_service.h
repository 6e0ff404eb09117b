#pragma once

// How a protocol engineer writes a service. `Protocol` is any class with
//
//   using State = ...;    // A value with Fields (model/fields.h).
//   using Message = ...;  // A struct or std::variant of structs with Fields.
//   using Action = ...;   // Likewise; omit it if the nodes never act by themselves.
//   uint32_t node_count() const;
//   State Initial(NodeId) const;
//   std::vector<TypedInvariant<State>> Invariants() const;
//   void OnMessage(State&, NodeId from, const Message&, Context<Message>&) const;
//   std::vector<Action> Actions(NodeId, const State&) const;       // If there is an Action.
//   void OnAction(State&, const Action&, Context<Message>&) const; // If there is an Action.
// and, where the defaults do not fit,
//   Network network() const;                                // Default: datagrams.
//   FaultBudget faults(NodeId) const;                       // Default: no faults.
//   State OnCrash(NodeId, const State&) const;              // What survives. Default: Initial.
//   void OnRestart(State&, Context<Message>&) const;        // Default: nothing.
//   void OnBreak(State&, NodeId peer, Context<Message>&) const;  // Default: nothing.
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

#include "model/check.h"
#include "model/context.h"
#include "model/fields.h"
#include "model/render.h"
#include "model/service.h"
#include "model/typed_invariant.h"

namespace foretell::model {

struct NoAction {
  static constexpr const char* kName = "None";
  template <class V>
  void Fields(V&) {}
};

template <class Protocol>
struct ActionOf {
  using type = NoAction;
};
template <class Protocol>
requires requires { typename Protocol::Action; }
struct ActionOf<Protocol> {
  using type = typename Protocol::Action;
};

template <class Protocol>
class TypedService final : public Service {
 public:
  using State = typename Protocol::State;
  using Message = typename Protocol::Message;
  using Action = typename ActionOf<Protocol>::type;

  explicit TypedService(Protocol protocol)
      : protocol_(std::move(protocol)), invariants_(protocol_.Invariants()) {
    for (const auto& invariant : invariants_) infos_.push_back(invariant.info);
  }

  uint32_t node_count() const override { return protocol_.node_count(); }
  Network network() const override {
    if constexpr (requires { protocol_.network(); }) return protocol_.network();
    return {};
  }
  FaultBudget faults(NodeId node) const override {
    if constexpr (requires { protocol_.faults(node); }) return protocol_.faults(node);
    return {};
  }
  std::span<const InvariantInfo> invariants() const override { return infos_; }

  std::string InitialState(NodeId node) const override { return Encode(protocol_.Initial(node)); }

  std::vector<std::string> Actions(NodeId node, const std::string& state) const override {
    std::vector<std::string> bodies;
    if constexpr (requires(const State& s) { protocol_.Actions(node, s); }) {
      for (const Action& action : protocol_.Actions(node, StateOf(state))) {
        bodies.push_back(Encode(action));
      }
    }
    return bodies;
  }

  HandlerResult Run(NodeId node, const std::string& state, std::span<const Event> events,
                    std::span<const uint32_t> choices) const override {
    State live = StateOf(state);
    HandlerResult result;
    for (const Event& event : events) {
      Context<Message> context(node, node_count(), choices);
      // The only place where a service's exceptions are caught: a handler that throws is an
      // outcome of the check, not an error of the checker.
      try {
        Handle(node, live, event, context);
      } catch (const std::exception& e) {
        context.Require(false, std::string("exception: ") + e.what());
      } catch (...) {
        context.Require(false, "exception of unknown type");
      }
      result = context.Take();
    }
    result.state = Encode(live);
    return result;
  }

  std::optional<std::string> Project(size_t invariant, NodeId node,
                                     const std::string& state) const override {
    return invariants_[invariant].project(node, StateOf(state));
  }
  bool Violates(size_t invariant, std::span<const std::optional<std::string>> keys) const override {
    return invariants_[invariant].violated(keys);
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

  bool ValidState(const std::string& state) const override {
    return Decode<State>(state).has_value();
  }
  bool ValidMessage(const std::string& body) const override {
    return Decode<Message>(body).has_value();
  }
  bool ValidAction(const std::string& body) const override {
    return Decode<Action>(body).has_value();
  }

 private:
  static State StateOf(const std::string& bytes) {
    std::optional<State> state = Decode<State>(bytes);
    FORETELL_CHECK(state.has_value());
    return *std::move(state);
  }

  void Handle(NodeId node, State& state, const Event& event, Context<Message>& context) const {
    switch (event.kind) {
      case EventKind::kDeliver:
        protocol_.OnMessage(state, event.peer, *Decode<Message>(event.body), context);
        break;
      case EventKind::kAction:
        if constexpr (requires(const Action& a) { protocol_.OnAction(state, a, context); }) {
          protocol_.OnAction(state, *Decode<Action>(event.body), context);
        }
        break;
      case EventKind::kCrash:
        if constexpr (requires { protocol_.OnCrash(node, state); }) {
          state = protocol_.OnCrash(node, state);
        } else {
          state = protocol_.Initial(node);
        }
        break;
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
  std::vector<TypedInvariant<State>> invariants_;
  std::vector<InvariantInfo> infos_;
};

template <class Protocol>
std::unique_ptr<Service> MakeService(Protocol protocol) {
  return std::make_unique<TypedService<Protocol>>(std::move(protocol));
}

}  // namespace foretell::model
