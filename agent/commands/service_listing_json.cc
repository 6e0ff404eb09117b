#include <algorithm>
#include <nlohmann/json.hpp>

#include "foretell/agent/commands/service_listing.h"
#include "foretell/agent/console/version.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

Json ScenarioToJson(const ScenarioInfo& scenario, bool is_default) {
  Json faults = Json::array();
  for (const model::FaultBudget& node : scenario.faults) {
    Json& budget = faults.emplace_back(Json::object());
    for (const model::FaultKindInfo& fault : model::kFaults) {
      budget[fault.limit] = node[fault.kind];
    }
  }
  const bool streams = scenario.network.kind == model::NetworkKind::kStreams;
  return {{"name", scenario.named.name},
          {"text", scenario.named.text},
          {"default", is_default},
          {"nodes", scenario.nodes},
          {"network",
           {{"kind", streams ? "streams" : "datagrams"},
            {"duplicates_max", scenario.network.duplicates_max}}},
          {"faults", std::move(faults)},
          {"in_flight", scenario.in_flight}};
}

Json ServiceToJson(const ServiceInfo& service) {
  Json json = {{"name", service.named.name}, {"text", service.named.text}};
  json["scenarios"] = Json::array();
  for (size_t i = 0; i < service.scenarios.size(); ++i) {
    json["scenarios"].push_back(ScenarioToJson(service.scenarios[i], i == 0));
  }
  json["bugs"] = Json::array();
  for (const model::Named& bug : service.bugs) {
    json["bugs"].push_back({{"name", bug.name}, {"text", bug.text}});
  }
  json["invariants"] = Json::array();
  for (const model::InvariantInfo& invariant : service.invariants) {
    json["invariants"].push_back({{"name", invariant.name},
                                  {"text", invariant.text},
                                  {"scope", model::ScopeName(invariant.scope)},
                                  {"stable", invariant.stable},
                                  {"eventually", invariant.eventually}});
  }
  return json;
}

}  // namespace

std::string ListingJson(const std::vector<ServiceInfo>& services) {
  Json json = {{"foretell", kVersion}, {"services", Json::array()}};
  for (const ServiceInfo& service : services) json["services"].push_back(ServiceToJson(service));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
