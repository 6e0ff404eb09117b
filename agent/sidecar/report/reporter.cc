#include "foretell/agent/sidecar/report/reporter.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/sidecar/report/evidence.h"

namespace foretell::agent {
namespace {

constexpr const char* kNoOpinion =
    "cannot be expressed: the path starts at a live state, the judge at the start of a scenario";

constexpr size_t kRecentMax = 20;

}  // namespace

uint64_t Reporter::reported(const std::string& invariant) const {
  const auto found = counts_.find(invariant);
  return found == counts_.end() ? 0 : found->second;
}

void Reporter::Report(const snapshot::RecordedSnapshot& snapshot, std::vector<Alert> alerts,
                      RoundSight sight) {
  sight.cut = snapshot.snapshot.number;
  sight.all_nodes = snapshot.snapshot.absent.empty();
  std::vector<Alert> news = stories_.TakeNews(std::move(alerts), snapshot.taken, sight);
  for (const ResolvedEvent& event : stories_.TakeResolved()) Resolved(event, "RESOLVED: ");
  for (Alert& alert : news) ReportOne(snapshot, alert);
  bundles_.Remember(snapshot);
}

void Reporter::ReportOne(const snapshot::RecordedSnapshot& snapshot, Alert& alert) {
  ++counts_[alert.predicted.violation.invariant];
  alert.values = HasHappened(alert)
                     ? bundles_.ChangesSince(service_, snapshot)
                     : LastChanges(service_, alert.space->cut, alert.predicted.violation.path);
  alert.headline = HeadlineOf(alert, service_, snapshot.snapshot.exact);
  if (has_judge_) alert.opinion = kNoOpinion;
  bundles_.Write(snapshot, alert);
  telemetry_.Violation(ToEvent(alert));
  LogLines(alert);
  if (log_.wants_events()) {
    const std::chrono::nanoseconds latency = wall_now_() - snapshot.taken;
    log_.Event(ViolationEventName(HasHappened(alert)), ToJson(alert, service_, snapshot, latency));
  }
  recent_.insert(recent_.begin(), ToPage(alert, snapshot));
  if (recent_.size() > kRecentMax) recent_.pop_back();
}

void Reporter::ReportResolved(const ResolvedEvent& event) {
  stories_.Forget(event.invariant);
  Resolved(event, "ALIVE: ");
}

void Reporter::Resolved(const ResolvedEvent& event, const char* word) {
  telemetry_.ViolationResolved(event);
  log_.Log(word + event.text);
  if (!log_.wants_events()) return;
  const nlohmann::ordered_json json = {{"invariant", event.invariant},
                                       {"since", event.since},
                                       {"until", event.until},
                                       {"verdict", event.verdict},
                                       {"text", event.text}};
  log_.Event("foretell.violation.resolved",
             json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Reporter::LogLines(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  const char* const word = !HasHappened(alert) ? "PREDICTED: "
                           : violation.death   ? "DEAD: "
                                               : "VIOLATED: ";
  log_.Log(word + alert.headline);
  if (!alert.plan.text.empty()) log_.Log("  plan: " + Printable(alert.plan.text, true));
  if (!alert.opinion.empty()) log_.Log("  second opinion: " + alert.opinion);
  if (!alert.replay.empty()) log_.Log("  see it: " + alert.replay);
}

}  // namespace foretell::agent
