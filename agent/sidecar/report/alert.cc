#include "foretell/agent/sidecar/report/alert.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/liveness_json.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"

namespace foretell::agent {

using Json = nlohmann::ordered_json;

namespace {

// What a service that imagines nothing says (model::Service::Imagine).
constexpr const char* kGoesOn = "the cluster just goes on";

std::string Count(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

std::vector<std::string> Words(const model::Service& service, const model::Path& path) {
  std::vector<std::string> words;
  for (const model::PathStep& step : path) {
    words.push_back(Printable(Describe(service, step.node, step.event), true));
  }
  return words;
}

// "restart node 2 or restart node 0"; empty if nothing is known to help.
std::string CuresOf(const model::Death& death) {
  std::vector<std::string> cures;
  for (const model::Cure& cure : death.cures) {
    if (cure.helps()) cures.push_back(cure.text);
  }
  return absl::StrJoin(cures, " or ");
}

// Messages that have to be lost, each once: "Data(seq=6001) (6 copies)".
std::vector<std::string> LostOf(const model::Death& death, const model::Service& service) {
  std::map<std::string, size_t> copies;
  for (const model::Message& message : death.lost) ++copies[service.RenderMessage(message.body)];
  std::vector<std::string> lost;
  for (const auto& [text, count] : copies) {
    lost.push_back(count == 1 ? text : absl::StrCat(text, " (", count, " copies)"));
  }
  return lost;
}

std::string DeadHeadline(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  const model::DeathProof& proof = violation.death->proof;
  const std::string cure = CuresOf(*violation.death);
  return absl::StrCat(violation.invariant, " is DEAD since cut ", alert.dead_since,
                      ", proved: ", Count(proof.states, "state"), ", ", model::ProofName(proof.how),
                      "; cure: ", cure.empty() ? "none was found" : cure);
}

std::string CriticalHeadline(const Alert& alert, const model::Service& service) {
  const model::Violation& violation = alert.predicted.violation;
  const model::Death& death = *violation.death;
  std::string text =
      absl::StrCat(violation.invariant, " can die in ", Count(violation.path.size(), "step"), ", ",
                   Count(alert.faults, "fault"));
  if (!violation.path.empty()) {
    const model::PathStep& last = violation.path.back();
    absl::StrAppend(&text, ", if ", AssumptionOf(alert),
                    "; critical: ", Describe(service, last.node, last.event));
  }
  if (death.lost.empty()) return text;
  return absl::StrCat(text, "; and lost: ", absl::StrJoin(LostOf(death, service), ", "));
}

}  // namespace

bool IsDead(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  return violation.death && violation.path.empty() && !violation.death->by_loss;
}

bool HasHappened(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  return violation.death ? IsDead(alert) : violation.path.empty();
}

std::string AssumptionOf(const Alert& alert) {
  std::vector<std::string> parts = predictors::FaultsIn(alert.predicted.violation.path);
  if (HasHappened(alert)) return "";
  // That things go on is worth a word only where nothing else is.
  if (parts.empty() || alert.space->text != kGoesOn) {
    parts.insert(parts.begin(), alert.space->text);
  }
  return absl::StrJoin(parts, " and ");
}

std::string ValuesOf(const Alert& alert) {
  constexpr size_t kLinesMax = 3;
  return alert.values.size() > kLinesMax ? "" : absl::StrJoin(alert.values, "; ");
}

std::string StoryOf(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  if (!violation.death && HasHappened(alert)) {
    return absl::StrCat(violation.invariant, "\n", violation.text, "\n",
                        absl::StrJoin(alert.breakers, "\n"));
  }
  std::string story = violation.invariant + "\n" + AssumptionOf(alert);
  // What takes one fault less is news, and so is that it has happened. How many copies of a message
  // have to be lost is not.
  if (const auto& death = violation.death) {
    const size_t faults = alert.faults - std::min(alert.faults, death->lost.size());
    absl::StrAppend(&story, "\n", IsDead(alert) ? "dead" : Count(faults, "fault"));
  }
  return story;
}

std::string HeadlineOf(const Alert& alert, const model::Service& service, bool exact) {
  const model::Violation& violation = alert.predicted.violation;
  if (violation.death) {
    return Printable(IsDead(alert) ? DeadHeadline(alert) : CriticalHeadline(alert, service), true);
  }
  const std::string values = ValuesOf(alert);
  const std::string shown = values.empty() ? "" : absl::StrCat(" (", values, ")");
  if (HasHappened(alert)) {
    return Printable(absl::StrCat(violation.invariant, " is violated", shown, ": ", violation.text),
                     true);
  }
  return Printable(
      absl::StrCat(violation.invariant, " can be violated in ",
                   Count(violation.path.size(), "step"), " if ", AssumptionOf(alert), shown,
                   exact ? "" : " (from a cut that is not exact)", ": ", violation.text),
      true);
}

ViolationEvent ToEvent(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  ViolationEvent event{.invariant = violation.invariant,
                       .happened = HasHappened(alert),
                       .engine = alert.predicted.engine,
                       .mode = alert.mode,
                       .steps_away = static_cast<uint32_t>(violation.path.size()),
                       .bundle = alert.bundle,
                       .decision = alert.decision,
                       .assumption = Printable(AssumptionOf(alert), true),
                       .values = Printable(ValuesOf(alert), true),
                       .text = alert.headline};
  if (violation.death) {
    event.verdict = IsDead(alert) ? "dead" : "critical";
    event.faults = static_cast<uint32_t>(alert.faults);
    event.cure = Printable(CuresOf(*violation.death), true);
  }
  if (alert.plan.step < violation.path.size()) {
    event.node = violation.path[alert.plan.step].node.value();
  }
  return event;
}

std::string ToJson(const Alert& alert, const model::Service& service,
                   const snapshot::RecordedSnapshot& snapshot, std::chrono::nanoseconds latency) {
  const model::Violation& violation = alert.predicted.violation;
  Json json;
  json["invariant"] = violation.invariant;
  json["steps_away"] = violation.path.size();
  json["text"] = alert.headline;
  json["mode"] = snapshot::ModeName(alert.mode);
  json["engine"] = alert.predicted.engine;
  json["imagined"] = alert.space->text;
  json["assumption"] = AssumptionOf(alert);
  json["values"] = alert.values;
  json["breakers"] = alert.breakers;
  json["snapshot"] = snapshot.snapshot.number;
  json["latency_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(latency).count();
  json["bundle"] = alert.bundle;
  json["replay"] = alert.replay;
  json["decision"] = alert.decision;
  json["plan"] = alert.plan.text;
  json["plan_assumes"] = alert.plan.assumes;
  if (!alert.opinion.empty()) json["second_opinion"] = alert.opinion;
  json["path"] = Words(service, violation.path);
  if (violation.death) {
    json["verdict"] = IsDead(alert) ? "dead" : "critical";
    json["dead_since"] = IsDead(alert) ? Json(alert.dead_since) : Json(nullptr);
    json["faults"] = alert.faults;
    AddDeath(*violation.death, EventsOf(service, *violation.death), json);
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

snapshot::Bundle ToBundle(const Alert& alert, const snapshot::RecordedSnapshot& snapshot) {
  return {.recorded = snapshot,
          .imagined = alert.space->cut,
          .focus = alert.space->focus,
          .invariant = alert.predicted.violation.invariant,
          .text = alert.predicted.violation.text,
          .path = alert.predicted.violation.path,
          .engine = alert.predicted.engine,
          .decision = alert.decision,
          .command = alert.replay,
          .plan = alert.plan.filters,
          .plan_text = alert.plan.text,
          .death = alert.predicted.violation.death};
}

StatusPage::Prediction ToPage(const Alert& alert, const snapshot::RecordedSnapshot& snapshot) {
  return {.time = std::chrono::time_point_cast<std::chrono::system_clock::duration>(snapshot.taken),
          .invariant = alert.predicted.violation.invariant,
          .engine = alert.predicted.engine,
          .mode = alert.mode,
          .steps_away = static_cast<uint32_t>(alert.predicted.violation.path.size()),
          .text = alert.headline,
          .decision = alert.decision,
          .plan = Printable(alert.plan.text, true),
          .command = alert.replay};
}

}  // namespace foretell::agent
