#include "foretell/integration/examples/threads.h"

#include <string>

#include "foretell/model/typed/family.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kClient(0);

model::FamilyRows<ThreadsProtocol> Rows() {
  return {
      .name = "threads",
      .text = "a chain of servers with a network, a worker and a checkpoint thread each",
      .scenarios = {{"servers-2", "a client sends two requests, two servers do them",
                     [](ThreadsProtocol& p) { p.servers = 2; }},
                    {"servers-3", "a client sends two requests, three servers do them",
                     [](ThreadsProtocol& p) { p.servers = 3; }}},
      .bugs = {{"torn-checkpoint",
                "the sum is read when the checkpoint is written, the count before",
                [](ThreadsProtocol& p) { p.torn = true; }}},
      .version = FORETELL_SOURCE_VERSION,
  };
}

}  // namespace

std::vector<ThreadsProtocol::Action> ThreadsProtocol::Actions(NodeId node,
                                                              const State& state) const {
  if (node == kClient) return state.started ? std::vector<Action>() : std::vector<Action>{Start{}};
  std::vector<Action> actions;
  if (!state.queue.empty()) actions.push_back(Work{});
  if (!state.read) {
    actions.push_back(ReadCheckpoint{});
  } else if (!state.disk) {
    actions.push_back(WriteCheckpoint{});
  }
  return actions;
}

void ThreadsProtocol::OnAction(State& state, const Action& action,
                               model::Context<Message>& context) const {
  if (std::holds_alternative<Start>(action)) {
    state.started = true;
    for (uint32_t n = 1; n <= requests; ++n) context.Send(NodeId(kClient.value() + 1), {n});
  } else if (std::holds_alternative<Work>(action)) {
    DoWork(state, context);
  } else if (std::holds_alternative<ReadCheckpoint>(action)) {
    state.read = state.done;
  } else {
    state.disk = state.read;
    if (torn && state.disk) state.disk->sum = state.done.sum;
  }
}

void ThreadsProtocol::DoWork(State& state, model::Context<Message>& context) const {
  context.Require(!state.queue.empty(), "works on nothing");
  if (state.queue.empty()) return;
  const uint32_t n = state.queue.front();
  state.queue.erase(state.queue.begin());
  ++state.done.count;
  state.done.sum += n;
  const NodeId next(context.self().value() + 1);
  if (next.value() < node_count()) context.Send(next, {n});
}

void ThreadsProtocol::OnMessage(State& state, NodeId, const Message& message,
                                model::Context<Message>&) const {
  state.queue.push_back(message.n);
}

std::vector<model::TypedInvariant<ThreadsProtocol::State>> ThreadsProtocol::Invariants() const {
  return {model::NodeInvariant<State, Total>(
      {.name = "whole-checkpoint",
       .text = "What is on disk is the count and the sum of the same requests.",
       .stable = true},
      [](NodeId, const State& state) { return state.disk; },
      // Requests are 1, 2, 3, ... in this order.
      [](const Total& disk) { return disk.sum != disk.count * (disk.count + 1) / 2; })};
}

model::System MakeThreadsSystem(uint32_t requests, uint32_t servers) {
  model::System system;
  system.service = model::MakeService(ThreadsProtocol{.requests = requests, .servers = servers});
  system.start = model::InitialCut(*system.service);
  return system;
}

std::unique_ptr<model::ServiceFamily> MakeThreadsFamily() {
  return std::make_unique<model::Family<ThreadsProtocol>>(Rows());
}

}  // namespace foretell::integration::examples
