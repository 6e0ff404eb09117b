#pragma once

// A cut as the test driver of a typed service sees it (see model/typed/service.h, Imagine).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/typed/fields.h"

namespace foretell::model {

template <class State, class Message>
struct TypedCut {
  struct InFlight {
    NodeId from;
    NodeId to;
    Message message;
  };
  std::vector<std::optional<State>> nodes;  // Nothing for nodes that are not up.
  std::vector<InFlight> in_flight;
};

template <class State, class Message>
struct TypedImagined {
  TypedCut<State, Message> cut;
  TypedCut<State, Message> focus;
  std::string text;
};

// REQUIRES: `cut` is valid for the service.
template <class State, class Message>
TypedCut<State, Message> DecodeCut(const SystemCut& cut) {
  TypedCut<State, Message> typed;
  for (const NodeState& node : cut.nodes) {
    auto& decoded = typed.nodes.emplace_back();
    if (node.status == NodeStatus::kUp) decoded = Decode<State>(node.body);
  }
  for (const auto& message : cut.in_flight) {
    typed.in_flight.push_back({message.from, message.to, *Decode<Message>(message.body)});
  }
  return typed;
}

// Everything but nodes that are up comes from `live`.
template <class State, class Message>
SystemCut EncodeCut(const SystemCut& live, const TypedCut<State, Message>& typed) {
  SystemCut cut;
  cut.nodes = live.nodes;
  for (size_t n = 0; n < typed.nodes.size(); ++n) {
    if (typed.nodes[n]) cut.nodes[n].body = Encode(*typed.nodes[n]);
  }
  for (const auto& message : typed.in_flight) {
    cut.in_flight.push_back({message.from, message.to, Encode(message.message)});
  }
  return cut;
}

}  // namespace foretell::model
