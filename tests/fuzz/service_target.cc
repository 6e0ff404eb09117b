// Bodies that a service takes from other processes and from files, once it has called them valid.

#include "foretell/tests/fuzz/live_services.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using model::EventKind;
using model::NodeId;

void TryState(const model::Service& service, NodeId node, const std::string& state) {
  if (!service.ValidState(state)) return;
  static_cast<void>(service.RenderState(node, state));
  static_cast<void>(service.Relevant(state));
  for (size_t i = 0; i < service.invariants().size(); ++i) {
    static_cast<void>(service.Project(i, node, state));
  }
  for (const std::string& action : service.Actions(node, state)) {
    const model::Event event{EventKind::kAction, node, action};
    static_cast<void>(service.Run(node, state, {&event, 1}, {}));
  }
  static_cast<void>(service.Calls(node, state));
  static_cast<void>(service.MakeLive(node, state)->Encode());
}

void TryMessage(const model::Service& service, NodeId node, const std::string& state,
                const std::string& body) {
  if (!service.ValidMessage(body) || !service.ValidState(state)) return;
  static_cast<void>(service.RenderMessage(body));
  static_cast<void>(service.MessageFields(body));
  const NodeId from((node.value() + 1) % service.node_count());
  const model::Event event{EventKind::kDeliver, from, body};
  static_cast<void>(service.Run(node, state, {&event, 1}, {}));
}

void TryAction(const model::Service& service, NodeId node, const std::string& state,
               const std::string& body) {
  if (!service.ValidAction(body)) return;
  static_cast<void>(service.RenderAction(body));
  static_cast<void>(service.ActionFields(body));
  static_cast<void>(service.Timing(body));
  const auto enabled = service.Actions(node, state);
  if (std::find(enabled.begin(), enabled.end(), body) == enabled.end()) return;
  const model::Event event{EventKind::kAction, node, body};
  static_cast<void>(service.Run(node, state, {&event, 1}, {}));
}

}  // namespace

void RunService(const std::string& bytes) {
  Input input(bytes);
  const LiveService& live = PickLive(input.Byte());
  const model::Service& service = *live.system.service;
  const NodeId node(input.Byte() % service.node_count());
  const uint8_t what = input.Byte();
  const std::string own =
      live.states.empty() ? service.InitialState(node) : live.states[what / 4 % live.states.size()];
  if (what % 4 == 0) return TryState(service, node, input.Rest());
  if (what % 4 == 1) return TryMessage(service, node, own, input.Rest());
  if (what % 4 == 2) return TryAction(service, node, own, input.Rest());
  static_cast<void>(service.ParseCall(input.Rest()));
}

std::vector<std::string> ServiceSeeds() {
  std::vector<std::string> seeds;
  for (size_t i = 0; i < LiveServices().size(); ++i) {
    const LiveService& live = LiveServices()[i];
    const auto add = [&](char what, const std::vector<std::string>& bodies) {
      for (const std::string& body : bodies) {
        seeds.push_back(std::string{static_cast<char>(i), 0, what} + body);
      }
    };
    add(0, live.states);
    add(1, live.messages);
    add(2, live.actions);
    add(3, live.calls);
  }
  return seeds;
}

}  // namespace foretell::fuzz
