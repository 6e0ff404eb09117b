#pragma once

// The example of the DEMETER paper (section 2, figure 1): a client sends numbers to a primary
// server, which sums them up and forwards them to the secondaries; a checkpoint thread in each
// server writes the sum once. Node 0 is the client, node 1 the primary.

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/context.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/invariant.h"

namespace foretell::integration::examples {

struct AccumulatorProtocol {
  struct State {
    bool started = false;                // The client.
    uint32_t sum = 0;                    // The servers.
    std::optional<uint32_t> checkpoint;  // The servers.
    FORETELL_FIELDS(started, sum, checkpoint)
  };
  struct Number {
    uint32_t n = 0;
    FORETELL_FIELDS(n)
  };
  struct Start {};
  struct Checkpoint {};
  using Message = Number;
  using Action = std::variant<Start, Checkpoint>;

  uint32_t numbers = 2;
  uint32_t servers = 2;      // The primary included.
  bool last_varies = false;  // The client chooses between two last numbers.

  uint32_t node_count() const { return servers + 1; }
  // The servers sum what they receive in the order in which it was sent.
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;
};

// Section 2.3 for any number of numbers and servers: the client has no choice. A checkpoint may
// come before, between and after the numbers, hence (numbers + 1) ^ servers traces in all.
// REQUIRES: both are at least 1.
model::System MakeAccumulatorSystem(uint32_t numbers, uint32_t servers);

std::unique_ptr<model::ServiceFamily> MakeAccumulatorFamily();

}  // namespace foretell::integration::examples
