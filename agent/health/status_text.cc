#include "foretell/agent/health/status_text.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

Json RoundJson(const StatusPage::Round& round) {
  return {{"number", round.number},
          {"start", FormatTime(round.start)},
          {"seconds", Seconds(round.duration)},
          {"outcome", RoundOutcomeName(round.outcome)},
          {"detail", round.detail},
          {"snapshot_bytes", round.snapshot_bytes ? Json(*round.snapshot_bytes) : Json(nullptr)},
          {"exact", round.exact}};
}

Json FindingsJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& finding : page.findings) {
    all.push_back({{"name", finding.name}, {"good", finding.good}, {"text", finding.text}});
  }
  return all;
}

Json InvariantsJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& invariant : page.invariants) {
    all.push_back(
        {{"name", invariant.name},
         {"mode", snapshot::ModeName(invariant.mode)},
         {"steps_away", invariant.steps_away ? Json(*invariant.steps_away) : Json(nullptr)},
         {"predictions", invariant.predictions},
         {"vetoes", invariant.vetoes}});
  }
  return all;
}

Json LivesJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& life : page.lives) {
    all.push_back({{"name", life.name},
                   {"mode", snapshot::ModeName(life.mode)},
                   {"life", life.life},
                   {"text", life.text},
                   {"since", life.since}});
  }
  return all;
}

Json NodesJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& node : page.nodes) {
    all.push_back({{"id", node.id},
                   {"address", node.address},
                   {"up", node.up},
                   {"status", node.status},
                   {"checkpoint", node.checkpoint},
                   {"overhead", node.overhead ? Json(*node.overhead) : Json(nullptr)},
                   {"guard", node.guard}});
  }
  return all;
}

Json EnginesJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& run : page.engines) {
    all.push_back({{"engine", run.engine},
                   {"space", run.space},
                   {"outcome", OutcomeWord(run.outcome)},
                   {"faults", run.faults},
                   {"states", run.states},
                   {"depth", run.depth},
                   {"seconds", Seconds(run.duration)}});
  }
  return all;
}

Json PredictionsJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& prediction : page.predictions) {
    all.push_back({{"time", FormatTime(prediction.time)},
                   {"invariant", prediction.invariant},
                   {"steps_away", prediction.steps_away},
                   {"engine", prediction.engine},
                   {"mode", snapshot::ModeName(prediction.mode)},
                   {"text", prediction.text},
                   {"decision", prediction.decision},
                   {"plan", prediction.plan},
                   {"replay", prediction.command}});
  }
  return all;
}

Json VetoesJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& veto : page.vetoes) {
    all.push_back({{"decision", veto.decision},
                   {"invariant", veto.invariant},
                   {"mode", snapshot::ModeName(veto.mode)},
                   {"kind", snapshot::FilterKindName(veto.kind)},
                   {"node", veto.node},
                   {"event", veto.event},
                   {"hits", veto.hits ? Json(*veto.hits) : Json(nullptr)},
                   {"until", FormatTime(veto.until)}});
  }
  return all;
}

Json AgentsJson(const StatusPage& page) {
  Json all = Json::array();
  for (const auto& agent : page.agents) {
    all.push_back({{"name", agent.name},
                   {"own", agent.own},
                   {"connected", agent.connected},
                   {"since", FormatTime(agent.since)},
                   {"vetoes", agent.vetoes},
                   {"text", agent.text}});
  }
  return all;
}

std::string Line(const std::string& name, const std::string& text) {
  constexpr size_t kColumn = 12;
  const size_t gap = name.size() < kColumn ? kColumn - name.size() : 1;
  return absl::StrCat("  ", name, std::string(gap, ' '), text, "\n");
}

}  // namespace

std::string StatusJson(const StatusPage& page) {
  Json json = {{"service", page.service}, {"version", page.version}};
  json["started"] = FormatTime(page.started);
  json["updated"] = FormatTime(page.updated);
  json["rounds"] = page.rounds;
  json["killed"] = page.killed.empty() ? Json(nullptr) : Json(page.killed);
  json["last_round"] = page.last_round ? RoundJson(*page.last_round) : Json(nullptr);
  json["findings"] = FindingsJson(page);
  json["invariants"] = InvariantsJson(page);
  json["liveness"] = LivesJson(page);
  json["nodes"] = NodesJson(page);
  json["engines"] = EnginesJson(page);
  json["predictions"] = PredictionsJson(page);
  json["vetoes"] = VetoesJson(page);
  json["agents"] = AgentsJson(page);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string StatusText(const StatusPage& page) {
  std::string text =
      absl::StrCat(page.service, ", as of ", FormatTimeToTheSecond(page.updated), "\n");
  for (const auto& finding : page.findings) {
    text += Line(finding.name, (finding.good ? "" : "! ") + finding.text);
  }
  for (const auto& invariant : page.invariants) {
    const std::string far = !invariant.steps_away ? "no violation is in sight"
                            : *invariant.steps_away == 0
                                ? "VIOLATED"
                                : absl::StrCat(*invariant.steps_away, " steps from a violation");
    text += Line(invariant.name, absl::StrCat(snapshot::ModeName(invariant.mode), ", ", far));
  }
  for (const auto& life : page.lives) text += Line(life.name, life.text);
  for (const auto& node : page.nodes) {
    if (node.up && (node.guard.empty() || node.guard == "guarded")) continue;
    text += Line(absl::StrCat("node ", node.id),
                 absl::StrCat("! ", node.status, node.guard.empty() ? "" : ", ", node.guard));
  }
  for (const auto& veto : page.vetoes) {
    text += Line("veto", absl::StrCat(veto.decision, " until ", FormatTimeToTheSecond(veto.until),
                                      ": ", veto.event));
  }
  constexpr size_t kNewest = 3;
  for (size_t i = 0; i < page.predictions.size() && i < kNewest; ++i) {
    text += Line("told", absl::StrCat(FormatTimeToTheSecond(page.predictions[i].time), " ",
                                      page.predictions[i].text));
  }
  return text;
}

}  // namespace foretell::agent
