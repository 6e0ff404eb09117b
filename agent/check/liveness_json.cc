#include "foretell/agent/check/liveness_json.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/describe.h"

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
    const bool known = cure.effect != model::Cure::Effect::kUnknown;
    json.push_back({{"text", cure.text},
                    {"helps", known ? Json(cure.helps()) : Json(nullptr)},
                    {"steps", cure.helps() ? Json(cure.steps) : Json(nullptr)}});
  }
  return json;
}

// REQUIRES: one of `events` for each step.
Json StepsToJson(const model::Path& path, const std::vector<std::string>& events) {
  Json json = Json::array();
  for (size_t i = 0; i < path.size(); ++i) json.push_back(StepToJson(path[i], events[i]));
  return json;
}

Json KindsToJson(const std::vector<model::CriticalKind>& kinds, const DeathEvents& events) {
  Json json = Json::array();
  for (size_t i = 0; i < kinds.size(); ++i) {
    json.push_back({{"node", kinds[i].node.value()},
                    {"event", kinds[i].event},
                    {"transitions", kinds[i].transitions},
                    {"after", kinds[i].path.size()},
                    {"steps", StepsToJson(kinds[i].path, events.kinds[i])}});
  }
  return json;
}

std::vector<std::string> WordsOf(const model::Service& service, const model::Path& path) {
  std::vector<std::string> words;
  for (const model::PathStep& step : path) {
    words.push_back(Printable(model::Describe(service, step.node, step.event), true));
  }
  return words;
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

DeathEvents EventsOf(const model::Service& service, const model::Death& death) {
  DeathEvents events{.twin = WordsOf(service, death.twin), .kinds = {}};
  for (const model::CriticalKind& kind : death.kinds) {
    events.kinds.push_back(WordsOf(service, kind.path));
  }
  return events;
}

void AddDeath(const model::Death& death, const DeathEvents& events, Json& json) {
  json["critical_step"] = death.critical_step;
  json["cycle_from"] = death.cycle_from > 0 ? Json(death.cycle_from) : Json(nullptr);
  json["by_loss"] = death.by_loss;
  json["lost"] = Json::array();
  for (const model::Message& message : death.lost) {
    json["lost"].push_back({{"from", message.from.value()},
                            {"to", message.to.value()},
                            {"body", absl::BytesToHexString(message.body)}});
  }
  json["twin"] = StepsToJson(death.twin, events.twin);
  json["cure"] = CuresToJson(death.cures);
  json["proof"] = {{"how", model::ProofName(death.proof.how)},
                   {"states", death.proof.states},
                   {"checked", death.proof.checked}};
  json["kinds"] = KindsToJson(death.kinds, events);
  json["blame"] = death.blame;
}

}  // namespace foretell::agent
