#include "foretell/agent/doctor/diagnosis_json.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "foretell/agent/console/version.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

template <class Fields>
Json NamesOf(const Fields& fields, const search::FieldTable& table) {
  Json names = Json::array();
  for (const uint32_t field : fields) names.push_back(table.name(field));
  return names;
}

Json CountsOf(const search::Remainder& counts) {
  return {{"states", counts.states}, {"node_states", counts.node_states}};
}

Json InfluenceToJson(const search::Influence& influence, const search::FieldTable& table) {
  Json json = {{"trials", influence.trials},
               {"influenced", influence.influenced},
               {"situations", influence.situations},
               {"enough", influence.IsEnough()},
               {"behaviour", influence.behaviour},
               {"invariants", influence.invariants},
               {"fields", NamesOf(influence.fed, table)}};
  if (!influence.example.empty()) json["example"] = influence.example;
  json["by_scenario"] = Json::object();
  for (const auto& [scenario, tally] : influence.by_scenario) {
    json["by_scenario"][scenario] = {{"trials", tally.trials}, {"influenced", tally.influenced}};
  }
  return json;
}

Json FieldToJson(const search::FieldFindings& one, const search::FieldTable& table) {
  Json json = {{"name", table.name(one.field)},
               {"leaf", !table.has_parts(one.field)},
               {"varies", one.varies},
               {"auxiliary", one.declared}};
  if (!one.varies) return json;
  json["influence"] = InfluenceToJson(one.influence, table);
  json["without"] = CountsOf(one.without);
  json["function_of"] = NamesOf(one.function_of, table);
  json["only_for_invariants"] = one.is_for_invariants;
  return json;
}

}  // namespace

std::string DiagnosisJson(const Examination& examination) {
  const search::Diagnosis& diagnosis = examination.diagnosis;
  const search::FieldTable& table = examination.fields;
  Json json = {{"foretell", kVersion},
               {"service", examination.service},
               {"bug", examination.bug},
               {"scenarios", Json::array()},
               {"left_out", examination.left_out},
               {"ended_by", examination.ended_by},
               {"all", CountsOf(diagnosis.all)},
               {"now", CountsOf(diagnosis.now)}};
  for (const SeenScenario& one : examination.scenarios) {
    json["scenarios"].push_back({{"name", one.name},
                                 {"states", one.states},
                                 {"node_states", one.node_states},
                                 {"handler_runs", one.handler_runs},
                                 {"complete", one.complete}});
  }
  const search::Suggestion& suggestion = diagnosis.suggestion;
  json["suggestion"] = {{"fields", NamesOf(suggestion.fields, table)},
                        {"influence", InfluenceToJson(suggestion.influence, table)},
                        {"without", CountsOf(suggestion.without)}};
  json["fields"] = Json::array();
  for (const search::FieldFindings& one : diagnosis.fields) {
    json["fields"].push_back(FieldToJson(one, table));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
