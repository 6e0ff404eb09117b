#include "foretell/integration/examples/threads.h"

#include <string>

#include "foretell/model/typed/service.h"

namespace foretell::integration::examples {
namespace {

using model::NodeId;

constexpr NodeId kClient(0);
constexpr const char* kTwoServers = "servers-2";
constexpr const char* kThreeServers = "servers-3";
constexpr const char* kTornCheckpoint = "torn-checkpoint";

model::System MakeSystem(const ThreadsProtocol& protocol) {
  model::System system;
  system.service = model::MakeService(protocol);
  system.start = model::InitialCut(*system.service);
  return system;
}

class Family final : public model::ServiceFamily {
 public:
  std::string name() const override { return "threads"; }
  std::string text() const override {
    return "a chain of servers with a network, a worker and a checkpoint thread each";
  }
  std::vector<model::Named> scenarios() const override {
    return {{kTwoServers, "a client sends two requests, two servers do them"},
            {kThreeServers, "a client sends two requests, three servers do them"}};
  }
  std::vector<model::Named> bugs() const override {
    return {{kTornCheckpoint, "the sum is read when the checkpoint is written, the count before"}};
  }
  std::string version() const override { return FORETELL_SOURCE_VERSION; }
  absl::StatusOr<model::System> Make(const std::string& scenario,
                                     const std::string& bug) const override {
    return MakeSystem(
        {.servers = scenario == kThreeServers ? 3u : 2u, .torn = bug == kTornCheckpoint});
  }
};

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
  return MakeSystem({.requests = requests, .servers = servers});
}

std::unique_ptr<model::ServiceFamily> MakeThreadsFamily() { return std::make_unique<Family>(); }

}  // namespace foretell::integration::examples
