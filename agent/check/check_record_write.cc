#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/coverage_json.h"
#include "foretell/agent/check/liveness_json.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/model/check.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

Json CountOrNull(const model::Stats::Count& count) { return count ? Json(*count) : Json(nullptr); }

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

const char* StatusName(model::NodeStatus status) {
  switch (status) {
    case model::NodeStatus::kUp: return "up";
    case model::NodeStatus::kDown: return "down";
    case model::NodeStatus::kFailed: return "failed";
    case model::NodeStatus::kAbsent: return "absent";
  }
  FORETELL_CHECK(false);
  return "";
}

Json TextOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json FieldsToJson(const std::vector<model::Field>& fields) {
  Json json = Json::object();
  for (const model::Field& field : fields) json[field.name] = field.value;
  return json;
}

Json ChangesToJson(const std::vector<Change>& changes) {
  Json json = Json::array();
  for (const Change& change : changes) {
    json.push_back({{"field", change.name},
                    {"before", change.appears ? Json(nullptr) : Json(change.before)},
                    {"after", change.vanishes ? Json(nullptr) : Json(change.after)}});
  }
  return json;
}

// Steps are counted from 1, as in the drawings.
Json SendsToJson(const std::vector<SentMessage>& sends) {
  Json json = Json::array();
  for (const SentMessage& sent : sends) {
    json.push_back({{"to", sent.to},
                    {"name", TextOrNull(sent.name)},
                    {"fields", FieldsToJson(sent.fields)},
                    {"text", sent.label},
                    {"arrives", sent.arrives ? Json(*sent.arrives + 1) : Json(nullptr)}});
  }
  return json;
}

// One label per choice, null where there is none.
Json LabelsToJson(const Moment& moment) {
  Json json = Json::array();
  for (size_t i = 0; i < moment.choices.size(); ++i) {
    json.push_back(i < moment.choice_labels.size() ? TextOrNull(moment.choice_labels[i])
                                                   : Json(nullptr));
  }
  return json;
}

// docs/json.md says what each key means.
Json StepToJson(const model::PathStep& step, const Moment& moment, const Lane& lane) {
  const bool has_peer = model::HasPeer(step.event.kind);
  Json json;
  json["node"] = step.node.value();
  json["event"] = EventText(moment);
  json["kind"] = model::KindName(step.event.kind);
  json["detail"] = ChangesText(moment.changes);
  json["peer"] = has_peer ? Json(step.event.peer.value()) : Json(nullptr);
  json["body"] = Hex(step.event.body);
  json["choices"] = step.choices;
  json["choice_labels"] = LabelsToJson(moment);
  json["role"] = TextOrNull(lane.role);
  json["name"] = TextOrNull(moment.name);
  json["fields"] = FieldsToJson(moment.fields);
  json["changes"] = ChangesToJson(moment.changes);
  json["sends"] = SendsToJson(moment.sends);
  return json;
}

Json ViolationToJson(const model::Violation& violation, const SpaceTime& picture,
                     const std::string& opinion) {
  Json json;
  json["invariant"] = violation.invariant;
  json["depth"] = violation.path.size();
  json["steps"] = Json::array();
  for (size_t i = 0; i < violation.path.size(); ++i) {
    const Moment& moment = picture.moments[i];
    json["steps"].push_back(StepToJson(violation.path[i], moment, picture.lanes[moment.lane]));
  }
  json["text"] = violation.text;
  json["second_opinion"] = TextOrNull(opinion);
  return json;
}

Json StatsToJson(const CheckRecord& record) {
  const model::Stats& stats = record.report.stats;
  Json json;
  json["transitions"] = CountOrNull(stats.transitions);
  json["handler_executions"] = CountOrNull(stats.handler_executions);
  json["node_states"] = CountOrNull(stats.node_states);
  json["classes"] = CountOrNull(stats.classes);
  json["system_states"] = CountOrNull(stats.system_states);
  json["global_states"] = CountOrNull(stats.global_states);
  json["traces"] = CountOrNull(stats.traces);
  json["blocked"] = CountOrNull(stats.blocked);
  json["traces_before_violation"] = CountOrNull(stats.traces_before_violation);
  json["soundness_checks"] = CountOrNull(stats.soundness_checks);
  json["soundness_rejections"] = CountOrNull(stats.soundness_rejections);
  json["depth"] = CountOrNull(stats.depth);
  json["seconds"] = record.seconds;
  json["peak_rss_bytes"] = record.peak_rss_bytes;
  json["bytes"] = CountOrNull(stats.bytes);
  json["visited_bytes"] = CountOrNull(stats.visited_bytes);
  json["images_max"] = CountOrNull(stats.images_max);
  return json;
}

Json StartToJson(const model::SystemCut& start) {
  Json nodes = Json::array();
  for (const model::NodeState& node : start.nodes) {
    Json& json = nodes.emplace_back(Json::object());
    json["status"] = StatusName(node.status);
    for (const model::FaultKindInfo& fault : model::kFaults) {
      json[fault.used] = node.faults[fault.kind];
    }
    json["state"] = Hex(node.body);
  }
  Json in_flight = Json::array();
  for (const model::Message& message : start.in_flight) {
    in_flight.push_back(
        {{"from", message.from.value()}, {"to", message.to.value()}, {"body", Hex(message.body)}});
  }
  return {{"nodes", std::move(nodes)}, {"in_flight", std::move(in_flight)}};
}

}  // namespace

std::string ToJson(const CheckRecord& record, const std::vector<SpaceTime>& pictures) {
  FORETELL_CHECK(pictures.size() == record.report.violations.size());
  FORETELL_CHECK(record.opinions.empty() || record.opinions.size() == pictures.size());
  Json json;
  json["service"] = record.service;
  json["scenario"] = record.scenario;
  json["bug"] = TextOrNull(record.bug);
  json["engine"] = record.engine;
  if (!record.report.answer_of.empty()) json["found_by"] = record.report.answer_of;
  json["complete"] = record.report.complete;
  json["outcome"] = model::OutcomeName(record.report.outcome);
  if (record.report.liveness) AddLiveness(*record.report.liveness, record.cut_numbers, json);
  json["violations"] = Json::array();
  for (size_t i = 0; i < pictures.size(); ++i) {
    json["violations"].push_back(
        ViolationToJson(record.report.violations[i], pictures[i],
                        record.opinions.empty() ? "" : record.opinions[i]));
  }
  if (!pictures.empty() && record.report.violations[0].death) {
    AddDeath(*record.report.violations[0].death, record.death_events, json["violations"][0]);
  }
  json["stats"] = StatsToJson(record);
  json["coverage"] = CoverageToJson(record.coverage);
  json["notes"] = record.report.notes;
  json["foretell"] = kVersion;
  json["start"] = StartToJson(record.start);
  // A service may render bytes that are no UTF-8; the object must come out all the same.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string TitleOf(const CheckRecord& record) {
  return absl::StrCat(record.service, ", scenario ", record.scenario,
                      record.bug.empty() ? "" : ", bug ", record.bug, ", engine ", record.engine);
}

}  // namespace foretell::agent
