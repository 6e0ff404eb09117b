#include "foretell/agent/sidecar/report/reporter.h"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/printable.h"
#include "foretell/agent/console/shell_word.h"
#include "foretell/model/describe.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

constexpr const char* kNoOpinion =
    "cannot be expressed: the path starts at a live state, the judge at the start of a scenario";

using Json = nlohmann::ordered_json;

constexpr size_t kRecentMax = 20;
constexpr std::chrono::seconds kQuiet{60};

// Two predictions of the same key in successive rounds are one story: the same thing can go wrong
// in the same way, whatever the exact path.
std::string KeyOf(const Reporter::Finding& finding) {
  return finding.predicted.violation.invariant + "\n" + finding.predicted.imagined;
}

std::string Headline(const Reporter::Finding& finding, bool exact) {
  const model::Violation& violation = finding.predicted.violation;
  const size_t steps = violation.path.size();
  if (steps == 0) return absl::StrCat(violation.invariant, " is violated: ", violation.text);
  return absl::StrCat(violation.invariant, " can be violated in ", steps,
                      steps == 1 ? " step" : " steps", " if ", finding.predicted.imagined,
                      exact ? "" : " (from a cut that is not exact)", ": ", violation.text);
}

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

void Reporter::Report(const snapshot::RecordedSnapshot& snapshot,
                      const std::vector<Finding>& findings) {
  const snapshot::UnixTime now = snapshot.taken;
  std::erase_if(told_, [now](const auto& told) { return told.second + kQuiet < now; });
  for (const Finding& finding : findings) {
    if (!told_.contains(KeyOf(finding))) ReportOne(snapshot, finding);
    told_[KeyOf(finding)] = now;
  }
}

void Reporter::ReportOne(const snapshot::RecordedSnapshot& snapshot, const Finding& finding) {
  const model::Violation& violation = finding.predicted.violation;
  ++counts_[violation.invariant];
  const std::string bundle = WriteBundle(snapshot, finding);
  const std::string text = Printable(Headline(finding, snapshot.snapshot.exact), true);
  const std::string replay = bundle.empty() ? "" : ReplayCommand(config_, bundle);
  ViolationEvent event{.invariant = violation.invariant,
                       .engine = finding.predicted.engine,
                       .mode = snapshot::ModeName(finding.mode),
                       .steps_away = static_cast<uint32_t>(violation.path.size()),
                       .bundle = bundle,
                       .decision = finding.decision,
                       .text = text};
  if (finding.plan.step < violation.path.size()) {
    event.node = violation.path[finding.plan.step].node.value();
  }
  telemetry_.ViolationPredicted(event);
  journal_.Log(absl::StrCat(violation.path.empty() ? "VIOLATED: " : "PREDICTED: ", text));
  if (!finding.plan.text.empty()) journal_.Log("  plan: " + Printable(finding.plan.text, true));
  if (has_judge_) journal_.Log(absl::StrCat("  second opinion: ", kNoOpinion));
  if (!replay.empty()) journal_.Log("  see it: " + replay);
  if (journal_.wants_events()) {
    journal_.Event("foretell.violation.predicted", EventJson(snapshot, finding, text, bundle));
  }
  recent_.insert(
      recent_.begin(),
      {.time = std::chrono::time_point_cast<std::chrono::system_clock::duration>(snapshot.taken),
       .invariant = violation.invariant,
       .engine = finding.predicted.engine,
       .steps_away = static_cast<uint32_t>(violation.path.size()),
       .text = text,
       .command = replay});
  if (recent_.size() > kRecentMax) recent_.pop_back();
}

std::string Reporter::WriteBundle(const snapshot::RecordedSnapshot& snapshot,
                                  const Finding& finding) {
  if (config_.bundles.empty()) return "";
  // Those of earlier runs count: what is limited is the room that they take.
  const bool full = CountBundles(config_.bundles) >= config_.bundles_max;
  if (full && !bundles_full_) {
    journal_.Log(absl::StrCat("no more bundles in ", config_.bundles, ": bundles.count_max is ",
                              config_.bundles_max));
  }
  bundles_full_ = full;
  if (full) return "";
  const model::Violation& violation = finding.predicted.violation;
  const std::string stem = absl::StrCat(config_.bundles, "/", violation.invariant, "-",
                                        snapshot.taken.time_since_epoch().count() / 1'000'000, "-",
                                        snapshot.snapshot.number);
  const std::string path = FreePath(stem);
  snapshot::Bundle bundle;
  bundle.recorded = snapshot;
  bundle.imagined = finding.predicted.start;
  bundle.invariant = violation.invariant;
  bundle.text = violation.text;
  bundle.path = violation.path;
  bundle.engine = finding.predicted.engine;
  bundle.decision = finding.decision;
  bundle.command = ReplayCommand(config_, path);
  bundle.plan = finding.plan.filters;
  bundle.plan_text = finding.plan.text;
  if (absl::Status status = snapshot::WriteBundle(path, bundle); !status.ok()) {
    journal_.Log(absl::StrCat("bundle not written: ", std::string(status.message())));
    return "";
  }
  return path;
}

std::string Reporter::EventJson(const snapshot::RecordedSnapshot& snapshot, const Finding& finding,
                                const std::string& text, const std::string& bundle) const {
  Json json;
  json["invariant"] = finding.predicted.violation.invariant;
  json["steps_away"] = finding.predicted.violation.path.size();
  json["text"] = text;
  json["mode"] = snapshot::ModeName(finding.mode);
  json["engine"] = finding.predicted.engine;
  json["imagined"] = finding.predicted.imagined;
  json["snapshot"] = snapshot.snapshot.number;
  json["latency_ms"] = (wall_now_() - snapshot.taken) / std::chrono::milliseconds(1);
  json["bundle"] = bundle;
  json["decision"] = finding.decision;
  json["plan"] = finding.plan.text;
  if (has_judge_) json["second_opinion"] = kNoOpinion;
  Json steps = Json::array();
  for (const model::PathStep& step : finding.predicted.violation.path) {
    steps.push_back(Printable(Describe(service_, step.node, step.event), true));
  }
  json["path"] = std::move(steps);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace foretell::agent
