#include "foretell/agent/sidecar/report/alert.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/model/describe.h"

namespace foretell::agent {

using Json = nlohmann::ordered_json;

std::string StoryOf(const Alert& alert) {
  return alert.predicted.violation.invariant + "\n" + alert.space->text;
}

std::string HeadlineOf(const Alert& alert, bool exact) {
  const model::Violation& violation = alert.predicted.violation;
  const size_t steps = violation.path.size();
  if (steps == 0) {
    return Printable(absl::StrCat(violation.invariant, " is violated: ", violation.text), true);
  }
  return Printable(
      absl::StrCat(violation.invariant, " can be violated in ", steps,
                   steps == 1 ? " step" : " steps", " if ", alert.space->text,
                   exact ? "" : " (from a cut that is not exact)", ": ", violation.text),
      true);
}

ViolationEvent ToEvent(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  ViolationEvent event{.invariant = violation.invariant,
                       .engine = alert.predicted.engine,
                       .mode = alert.mode,
                       .steps_away = static_cast<uint32_t>(violation.path.size()),
                       .bundle = alert.bundle,
                       .decision = alert.decision,
                       .text = alert.headline};
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
  json["snapshot"] = snapshot.snapshot.number;
  json["latency_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(latency).count();
  json["bundle"] = alert.bundle;
  json["replay"] = alert.replay;
  json["decision"] = alert.decision;
  json["plan"] = alert.plan.text;
  if (!alert.opinion.empty()) json["second_opinion"] = alert.opinion;
  Json steps = Json::array();
  for (const model::PathStep& step : violation.path) {
    steps.push_back(Printable(Describe(service, step.node, step.event), true));
  }
  json["path"] = std::move(steps);
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
          .plan_text = alert.plan.text};
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
