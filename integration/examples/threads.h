#pragma once

// Servers with several threads, in a chain: node 0 is a client whose requests go to node 1, and
// each server passes on what it has done to the next. A server is one node; its threads are its
// steps. The network thread queues what arrives, the worker does it, and the checkpoint thread
// writes to disk, once, what it has read before. Only arrivals and what is passed on can be seen
// from outside.

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

// Outside, because an optional of a member class with initialisers does not compile with Clang.
struct ThreadsTotal {
  uint32_t count = 0;  // Of requests done.
  uint32_t sum = 0;
  FORETELL_FIELDS(count, sum)
};

struct ThreadsProtocol {
  using Total = ThreadsTotal;
  struct State {
    bool started = false;         // The client; the rest is the servers'.
    std::vector<uint32_t> queue;  // Arrived and not done yet.
    Total done;
    std::optional<Total> read;  // By the checkpoint thread.
    std::optional<Total> disk;
    FORETELL_FIELDS(started, queue, done, read, disk)
  };
  struct Request {
    uint32_t n = 0;
    FORETELL_FIELDS(n)
  };
  struct Start {};
  struct Work {};
  struct ReadCheckpoint {};
  struct WriteCheckpoint {};
  using Message = Request;
  using Action = std::variant<Start, Work, ReadCheckpoint, WriteCheckpoint>;

  uint32_t requests = 2;
  uint32_t servers = 2;
  bool torn =
      false;  // The bug: a checkpoint has its count from one moment and its sum from another.

  uint32_t node_count() const { return servers + 1; }
  // Requests are done in the order in which they were sent.
  model::Network network() const { return {.kind = model::NetworkKind::kStreams}; }
  State Initial(model::NodeId) const { return {}; }
  std::vector<Action> Actions(model::NodeId node, const State& state) const;
  void OnAction(State& state, const Action& action, model::Context<Message>& context) const;
  void OnMessage(State& state, model::NodeId from, const Message& message,
                 model::Context<Message>& context) const;
  std::vector<model::TypedInvariant<State>> Invariants() const;

 private:
  void DoWork(State& state, model::Context<Message>& context) const;
};

// REQUIRES: both are at least 1.
model::System MakeThreadsSystem(uint32_t requests, uint32_t servers);

std::unique_ptr<model::ServiceFamily> MakeThreadsFamily();

}  // namespace foretell::integration::examples
