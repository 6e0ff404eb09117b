#pragma once

#include <string>
#include <vector>

#include "foretell/model/typed/service.h"

namespace foretell::scenarios {

// A service that remembers what it was sent, so that a cut can be read. What is sent is up to the
// story.
struct Letters {
  struct State {
    std::string got;
    FORETELL_FIELDS(got)
  };
  struct Message {
    static constexpr const char* kName = "Letter";
    std::string text;
    FORETELL_FIELDS(text)
  };
  struct Action {
    static constexpr const char* kName = "Nothing";
  };

  uint32_t nodes = 2;
  model::NetworkKind kind = model::NetworkKind::kDatagrams;

  uint32_t node_count() const { return nodes; }
  model::Network network() const { return {.kind = kind}; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<model::TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(model::NodeId, const State&) const { return {}; }
  void OnMessage(State& state, model::NodeId, const Message& message,
                 model::Context<Message>&) const {
    state.got += message.text;
  }
  void OnAction(State&, const Action&, model::Context<Message>&) const {}
  State OnCrash(model::NodeId, const State& state) const { return state; }
  // Nodes that notice: a hole in a stream matters to them.
  void OnBreak(State& state, model::NodeId, model::Context<Message>&) const { state.got += '!'; }
};

}  // namespace foretell::scenarios
