// The Informal Trace Format of Apalache (its ADR 15): integers are {"#bigint": "1"}, functions
// {"#map": [[key, value], ...]}, sequences arrays, records objects.

#include <nlohmann/json.hpp>

#include "foretell/agent/console/text.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/debug/exports/exports.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

Json Integer(uint64_t value) { return {{"#bigint", std::to_string(value)}}; }
Json Function(Json pairs) { return {{"#map", std::move(pairs)}}; }

const char* StatusText(model::NodeStatus status) {
  constexpr const char* kNames[] = {"up", "down", "failed", "absent"};
  return kNames[static_cast<size_t>(status)];
}

Json StatusOf(const model::SystemCut& cut) {
  Json pairs = Json::array();
  for (size_t n = 0; n < cut.nodes.size(); ++n) {
    pairs.push_back(Json::array({Integer(n), StatusText(cut.nodes[n].status)}));
  }
  return Function(std::move(pairs));
}

// Every value as the service renders it: fields have no type that all of them share but text.
Json FieldsOf(const model::Service& service, const model::SystemCut& cut) {
  Json nodes = Json::array();
  for (uint32_t n = 0; n < cut.nodes.size(); ++n) {
    Json fields = Json::array();
    if (!model::IsSilent(cut.nodes[n])) {
      for (const model::Field& field : service.RenderState(model::NodeId(n), cut.nodes[n].body)) {
        fields.push_back(Json::array({Printable(field.name, true), Printable(field.value, true)}));
      }
    }
    nodes.push_back(Json::array({Integer(n), Function(std::move(fields))}));
  }
  return Function(std::move(nodes));
}

Json MessagesOf(const model::Service& service, const model::SystemCut& cut) {
  Json messages = Json::array();
  for (const model::Message& message : cut.in_flight) {
    messages.push_back({{"from", Integer(message.from.value())},
                        {"to", Integer(message.to.value())},
                        {"message", Printable(service.RenderMessage(message.body), true)}});
  }
  return messages;
}

Json BrokenIn(const model::Service& service, const model::SystemCut& cut) {
  Json names = Json::array();
  for (const std::string& name : model::PlainSystem(service, cut).Violated()) names.push_back(name);
  return {{"#set", std::move(names)}};
}

Json EventOf(const Execution& execution, size_t step) {
  if (step == 0) return {{"node", Integer(0)}, {"kind", "start"}, {"text", "start"}};
  const model::PathStep& taken = execution.StepAt(step);
  return {{"node", Integer(taken.node.value())},
          {"kind", model::KindName(taken.event.kind)},
          {"text", EventText(execution.MomentOf(step))}};
}

}  // namespace

std::string WriteItf(const ExportInput& input) {
  const Execution& execution = *input.executions.front().execution;
  Json states = Json::array();
  for (size_t step = 0; step <= execution.steps(); ++step) {
    const model::SystemCut& cut = execution.At(step);
    states.push_back({{"#meta", {{"index", step}}},
                      {"event", EventOf(execution, step)},
                      {"nodes", FieldsOf(input.service, cut)},
                      {"status", StatusOf(cut)},
                      {"in_flight", MessagesOf(input.service, cut)},
                      {"broken", BrokenIn(input.service, cut)}});
  }
  const Json trace = {
      {"#meta",
       {{"format", "ITF"},
        {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
        {"source", input.title},
        {"description", std::string("A hypothetical execution, by foretell ") + kVersion}}},
      {"params", Json::array()},
      {"vars", {"event", "nodes", "status", "in_flight", "broken"}},
      {"states", std::move(states)}};
  return trace.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
