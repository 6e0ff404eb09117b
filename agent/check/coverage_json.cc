#include "foretell/agent/check/coverage_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

Json MarksToJson(const std::vector<predictors::Mark>& marks, const char* what) {
  Json json = Json::array();
  for (const predictors::Mark& mark : marks)
    json.push_back({{"name", mark.name}, {what, mark.seen}});
  return json;
}

Json HandlersToJson(const predictors::Coverage& coverage) {
  Json json = Json::array();
  for (const predictors::HandlerRuns& handler : coverage.handlers) {
    if (!handler.expected && handler.runs == 0) continue;  // It cannot happen.
    Json& row = json.emplace_back(Json::object());
    row["kind"] = model::KindName(handler.kind);
    row["name"] = handler.name;
    row["runs"] = handler.runs;
    if (handler.kind == model::EventKind::kDeliver) row["sent"] = handler.sent;
  }
  return json;
}

Json NodesToJson(const predictors::Coverage& coverage) {
  Json json = Json::array();
  for (size_t n = 0; n < coverage.nodes.size(); ++n) {
    const predictors::NodeRuns& node = coverage.nodes[n];
    if (!node.expected) continue;
    json.push_back({{"node", n},
                    {"role", node.role.empty() ? Json(nullptr) : Json(node.role)},
                    {"runs", node.runs}});
  }
  return json;
}

}  // namespace

Json CoverageToJson(const predictors::Coverage& coverage) {
  Json json;
  json["full"] = predictors::IsFull(coverage);
  json["certain"] = coverage.certain;
  json["handlers"] = HandlersToJson(coverage);
  json["nodes"] = NodesToJson(coverage);
  json["invariants"] = MarksToJson(coverage.invariants, "contributed");
  json["goals"] = MarksToJson(coverage.goals, "reached");
  json["barred"] = coverage.barred;
  json["growing"] = Json::array();
  for (const predictors::Growth& growth : coverage.growing) {
    json["growing"].push_back(
        {{"node", growth.node}, {"field", growth.field}, {"largest", growth.largest}});
  }
  json["piling"] = coverage.piling;
  json["not_stable"] = Json::array();
  for (const predictors::Doubt& doubt : coverage.doubts) {
    json["not_stable"].push_back({{"invariant", doubt.invariant}, {"text", doubt.text}});
  }
  return json;
}

}  // namespace foretell::agent
