#include "foretell/agent/sidecar/report/reporter.h"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/text.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

constexpr const char* kNoOpinion =
    "cannot be expressed: the path starts at a live state, the judge at the start of a scenario";

constexpr size_t kRecentMax = 20;
constexpr std::chrono::minutes kQuiet{1};

constexpr const char* kBundleEnd = ".bundle";

size_t CountBundles(const std::string& folder) {
  std::error_code error;
  size_t count = 0;
  // A folder that cannot be read is reported when the bundle cannot be written.
  for (auto it = std::filesystem::directory_iterator(folder, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    if (it->path().extension() == kBundleEnd) ++count;
  }
  return count;
}

// One round can find several ways to break an invariant, and none overwrites another.
std::string FreePath(const std::string& stem) {
  std::string path = stem + kBundleEnd;
  for (int i = 2; access(path.c_str(), F_OK) == 0; ++i) {
    path = absl::StrCat(stem, "-", i, kBundleEnd);
  }
  return path;
}

std::string ReplayCommand(const Config& config, const std::string& path) {
  std::string command = "foretell replay " + ShellWord(path);
  for (const std::string& plugin : config.plugins)
    absl::StrAppend(&command, " --plugin ", ShellWord(plugin));
  return command;
}

}  // namespace

uint64_t Reporter::reported(const std::string& invariant) const {
  const auto found = counts_.find(invariant);
  return found == counts_.end() ? 0 : found->second;
}

void Reporter::Report(const snapshot::RecordedSnapshot& snapshot, std::vector<Alert> alerts) {
  const UnixTime now = snapshot.taken;
  std::erase_if(told_, [now](const auto& told) { return told.second + kQuiet < now; });
  for (Alert& alert : alerts) {
    const std::string story = StoryOf(alert);
    if (!told_.contains(story)) ReportOne(snapshot, alert);
    told_[story] = now;
  }
}

void Reporter::ReportOne(const snapshot::RecordedSnapshot& snapshot, Alert& alert) {
  ++counts_[alert.predicted.violation.invariant];
  alert.headline = HeadlineOf(alert, service_, snapshot.snapshot.exact);
  if (has_judge_) alert.opinion = kNoOpinion;
  WriteBundle(snapshot, alert);
  telemetry_.ViolationPredicted(ToEvent(alert));
  LogLines(alert);
  if (log_.wants_events()) {
    const std::chrono::nanoseconds latency = wall_now_() - snapshot.taken;
    log_.Event("foretell.violation.predicted", ToJson(alert, service_, snapshot, latency));
  }
  recent_.insert(recent_.begin(), ToPage(alert, snapshot));
  if (recent_.size() > kRecentMax) recent_.pop_back();
}

void Reporter::ReportResolved(const ResolvedEvent& event) {
  // Should it die again, that is news.
  std::erase_if(told_,
                [&](const auto& told) { return told.first.starts_with(event.invariant + "\n"); });
  telemetry_.ViolationResolved(event);
  log_.Log("ALIVE: " + event.text);
  if (!log_.wants_events()) return;
  const nlohmann::ordered_json json = {{"invariant", event.invariant},
                                       {"since", event.since},
                                       {"until", event.until},
                                       {"text", event.text}};
  log_.Event("foretell.violation.resolved",
             json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Reporter::LogLines(const Alert& alert) {
  const model::Violation& violation = alert.predicted.violation;
  const bool now = violation.death ? IsDead(alert) : violation.path.empty();
  log_.Log(absl::StrCat(now ? violation.death ? "DEAD: " : "VIOLATED: " : "PREDICTED: ",
                        alert.headline));
  if (!alert.plan.text.empty()) log_.Log("  plan: " + Printable(alert.plan.text, true));
  if (!alert.opinion.empty()) log_.Log("  second opinion: " + alert.opinion);
  if (!alert.replay.empty()) log_.Log("  see it: " + alert.replay);
}

void Reporter::WriteBundle(const snapshot::RecordedSnapshot& snapshot, Alert& alert) {
  if (config_.bundles.empty()) return;
  // Those of earlier runs count: what is limited is the room that they take.
  const bool full = CountBundles(config_.bundles) >= config_.bundles_max;
  if (full && !bundles_full_) {
    log_.Log(absl::StrCat("no more bundles in ", config_.bundles, ": bundles.count_max is ",
                          config_.bundles_max));
  }
  bundles_full_ = full;
  if (full) return;
  const std::string stem = absl::StrCat(config_.bundles, "/", alert.predicted.violation.invariant,
                                        "-", snapshot.taken.time_since_epoch().count() / 1'000'000,
                                        "-", snapshot.snapshot.number);
  alert.bundle = FreePath(stem);
  alert.replay = ReplayCommand(config_, alert.bundle);
  const absl::Status status = snapshot::WriteBundle(alert.bundle, ToBundle(alert, snapshot));
  if (status.ok()) return;
  log_.Log(absl::StrCat("bundle not written: ", std::string(status.message())));
  alert.bundle.clear();
  alert.replay.clear();
}

}  // namespace foretell::agent
