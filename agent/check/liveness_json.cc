#include "foretell/agent/check/liveness_json.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

// Enough to take the step again.
Json StepToJson(const model::PathStep& step, const std::string& event) {
  Json json;
  json["node"] = step.node.value();
  json["event"] = event;
  json["kind"] = model::KindName(step.event.kind);
  json["peer"] = model::HasPeer(step.event.kind) ? Json(step.event.peer.value()) : Json(nullptr);
  json["body"] = absl::BytesToHexString(step.event.body);
  json["choices"] = step.choices;
  return json;
}

Json CuresToJson(const std::vector<model::Cure>& cures) {
  Json json = Json::array();
  for (const model::Cure& cure : cures) {
    json.push_back({{"text", cure.text},
                    {"helps", cure.helps},
                    {"steps", cure.helps ? Json(cure.steps) : Json(nullptr)}});
  }
  return json;
}

Json KindsToJson(const std::vector<model::CriticalKind>& kinds) {
  Json json = Json::array();
  for (const model::CriticalKind& kind : kinds) {
    json.push_back({{"node", kind.node.value()},
                    {"event", kind.event},
                    {"transitions", kind.transitions},
                    {"after", kind.path.size()}});
  }
  return json;
}

}  // namespace

void AddLiveness(const model::Liveness& liveness, const std::vector<uint64_t>& numbers,
                 Json& json) {
  json["property"] = liveness.property;
  const bool fair = liveness.fairness != model::Fairness::kNone;
  json["fairness"] = fair ? Json(model::FairnessName(liveness.fairness)) : Json(nullptr);
  json["verdict"] = model::VerdictName(liveness.verdict);
  json["verdict_text"] = liveness.text;
  json["judged_states"] = liveness.judged;
  json["dead_states"] = liveness.dead;
  const auto& interval = liveness.interval;
  json["condition"] = interval ? Json(model::ConditionName(*interval)) : Json(nullptr);
  json["critical_interval"] =
      interval ? Json::array({interval->alive, interval->dead}) : Json(nullptr);
  if (liveness.cuts.empty()) return;
  json["recorded_cuts"] = Json::array();
  for (size_t i = 0; i < liveness.cuts.size(); ++i) {
    json["recorded_cuts"].push_back(
        {{"number", numbers[i]}, {"fate", model::FateName(liveness.cuts[i])}});
  }
  json["from_cut"] = numbers[liveness.from];
}

void AddDeath(const model::Death& death, const std::vector<std::string>& events, Json& json) {
  json["critical_step"] = death.critical_step;
  json["cycle_from"] = death.cycle_from > 0 ? Json(death.cycle_from) : Json(nullptr);
  json["by_loss"] = death.by_loss;
  json["lost"] = Json::array();
  for (const model::Message& message : death.lost) {
    json["lost"].push_back({{"from", message.from.value()},
                            {"to", message.to.value()},
                            {"body", absl::BytesToHexString(message.body)}});
  }
  json["twin"] = Json::array();
  for (size_t i = 0; i < death.twin.size(); ++i) {
    json["twin"].push_back(StepToJson(death.twin[i], i < events.size() ? events[i] : ""));
  }
  json["cure"] = CuresToJson(death.cures);
  json["proof"] = {{"how", model::ProofName(death.proof.how)},
                   {"states", death.proof.states},
                   {"checked", death.proof.checked}};
  json["kinds"] = KindsToJson(death.kinds);
  json["blame"] = death.blame;
}

}  // namespace foretell::agent
