#include "foretell/tests/fuzz/live_services.h"

#include <algorithm>
#include <utility>

#include "foretell/integration/catalog.h"

namespace foretell::fuzz {
namespace {

constexpr size_t kRounds = 6;
constexpr size_t kEach = 12;  // Samples of a kind.

void Keep(std::vector<std::string>& samples, const std::string& sample) {
  if (samples.size() < kEach && std::find(samples.begin(), samples.end(), sample) == samples.end())
    samples.push_back(sample);
}

// Runs actions and delivers what they send, round by round.
void Sample(LiveService& live) {
  const model::Service& service = *live.system.service;
  std::vector<std::string> states;
  for (uint32_t n = 0; n < service.node_count(); ++n) {
    states.push_back(service.InitialState(model::NodeId(n)));
  }
  std::vector<model::Message> flying;
  const auto run = [&](model::NodeId node, const model::Event& event) {
    model::HandlerResult result = service.Run(node, states[node.index()], {&event, 1}, {});
    if (!result.failure.empty()) return;
    states[node.index()] = result.state;
    Keep(live.states, result.state);
    for (const model::Send& send : result.sends) {
      Keep(live.messages, send.body);
      flying.push_back({node, send.to, send.body});
    }
  };
  for (size_t round = 0; round < kRounds; ++round) {
    for (uint32_t n = 0; n < service.node_count(); ++n) {
      const model::NodeId node(n);
      std::vector<std::string> actions = service.Calls(node, states[n]);
      for (const std::string& call : actions) Keep(live.calls, service.RenderAction(call));
      for (const std::string& action : service.Actions(node, states[n])) actions.push_back(action);
      if (actions.empty()) continue;
      const std::string action = actions[round % actions.size()];
      Keep(live.actions, action);
      run(node, {model::EventKind::kAction, node, action});
    }
    for (const model::Message& message : std::exchange(flying, {})) {
      run(message.to, {model::EventKind::kDeliver, message.from, message.body});
    }
    if (flying.size() > kEach * kEach) flying.resize(kEach * kEach);
  }
}

}  // namespace

const std::vector<LiveService>& LiveServices() {
  static const auto* const services = [] {
    auto* made = new std::vector<LiveService>();
    for (const auto& family : integration::BuiltinServices()) {
      const std::string scenario = family->live_scenario();
      if (scenario.empty()) continue;
      auto system = family->Make(scenario, "");
      if (!system.ok()) continue;
      LiveService& live = made->emplace_back();
      live.name = family->name();
      live.scenario = scenario;
      live.system = *std::move(system);
      Sample(live);
    }
    return made;
  }();
  return *services;
}

const LiveService& PickLive(size_t number) {
  return LiveServices()[number % LiveServices().size()];
}

}  // namespace foretell::fuzz
