#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/commands/replay.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/recorded/archive_check.h"
#include "foretell/agent/recorded/archive_summary.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"

namespace foretell::agent {
namespace {

constexpr uint64_t kMemory = uint64_t{4} << 30;  // For all jobs together.
constexpr uint64_t kJobsMax = 256;

absl::Status Prefixed(const char* option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", std::string(status.message())));
}

// The count of `text`, or `otherwise` if it is empty.
absl::StatusOr<uint64_t> CountOr(const char* option, const std::string& text, uint64_t otherwise,
                                 uint64_t most = UINT64_MAX) {
  if (text.empty()) return otherwise;
  const auto count = ParseCount(text);
  if (!count.ok()) return Prefixed(option, count.status());
  if (*count <= most) return *count;
  return absl::InvalidArgumentError(absl::StrCat(option, ": ", *count, ", the most is ", most));
}

absl::Status PlanEngine(const ReplayArgs& args, const Parts& parts, ArchiveCheckPlan& plan) {
  if (args.engine.empty()) return absl::OkStatus();  // As an agent does it.
  const auto engine = SelectEngine(parts.engines, args.engine);
  if (!engine.ok()) return engine.status();
  if ((*engine)->liveness) {
    return absl::InvalidArgumentError(
        absl::StrCat("engine ", args.engine,
                     " looks for no violations; `foretell check SERVICE "
                     "--from FILE#N --property NAME` asks it about one cut"));
  }
  plan.engine = *engine;
  return absl::OkStatus();
}

absl::Status PlanBounds(const ReplayArgs& args, const Parts& parts, ArchiveCheckPlan& plan) {
  if (absl::Status engine = PlanEngine(args, parts, plan); !engine.ok()) return engine;
  const auto budget = ParseDuration(args.budget.empty() ? "1s" : args.budget);
  if (!budget.ok()) return Prefixed("--budget", budget.status());
  plan.budget = *budget;
  const auto steps = CountOr("--steps", args.steps, UINT64_MAX);
  if (!steps.ok()) return steps.status();
  plan.steps = *steps;
  const uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const auto jobs = CountOr("--jobs", args.jobs, std::min(cores, kJobsMax), kJobsMax);
  if (!jobs.ok()) return jobs.status();
  plan.jobs = static_cast<uint32_t>(*jobs);
  plan.bytes = kMemory / *jobs;
  return absl::OkStatus();
}

// Services by origin: an archive can span several.
class Systems {
 public:
  Systems(const model::Catalog& catalog, bool force) : catalog_(catalog), force_(force) {}

  // Null if cuts of `origin` are to be skipped, which is noted once.
  absl::StatusOr<const Selection*> Find(const snapshot::Origin& origin) {
    const auto key = std::tuple(origin.service, origin.scenario, origin.bug, origin.version);
    const auto known = selections_.find(key);
    if (known != selections_.end()) return known->second.get();
    std::unique_ptr<Selection>& slot = selections_[key];
    auto selection = SelectOrigin(catalog_, origin);
    if (selection.status().code() == absl::StatusCode::kFailedPrecondition) {
      const std::string why(selection.status().message());
      notes_.push_back(absl::StrCat(why, force_
                                             ? "; checked all the same"
                                             : "; cuts of it were skipped, --force checks them"));
      if (!force_) return nullptr;
      selection = SelectAnyVersion(catalog_, origin);
    }
    if (!selection.ok()) return selection.status();
    slot = std::make_unique<Selection>(*std::move(selection));
    return slot.get();
  }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  const model::Catalog& catalog_;
  const bool force_;
  std::map<Key, std::unique_ptr<Selection>> selections_;
  std::vector<std::string> notes_;
};

absl::Status PlanCuts(const ReplayArgs& args, const snapshot::ArchiveReader& archive,
                      Systems& systems, ArchiveCheckPlan& plan, ArchiveSummary& summary) {
  const auto every = CountOr("--every", args.every, 1);
  if (!every.ok()) return every.status();
  plan.archive = &archive;
  const auto& entries = archive.entries();
  for (uint64_t i = 0; i < entries.size(); i += std::min<uint64_t>(*every, entries.size())) {
    const auto selection = systems.Find(entries[i].origin);
    if (!selection.ok()) return selection.status();
    summary.skipped += *selection == nullptr ? 1 : 0;
    if (*selection == nullptr) continue;
    plan.entries.push_back(entries[i]);
    plan.selections.push_back(*selection);
  }
  if (plan.entries.empty()) return absl::FailedPreconditionError(systems.notes().front());
  return absl::OkStatus();
}

void Describe(const ReplayArgs& args, const Systems& systems, const ArchiveCheckPlan& plan,
              ArchiveSummary& summary) {
  std::set<std::string> systems_seen;
  for (const Selection* selection : plan.selections) {
    systems_seen.insert(absl::StrCat(selection->service, ", scenario ", selection->scenario,
                                     selection->bug.empty() ? "" : ", bug ", selection->bug));
  }
  summary.systems = absl::StrJoin(systems_seen, "; ");
  summary.file = args.file;
  summary.engine = plan.engine != nullptr ? plan.engine->name
                                          : absl::StrJoin(predictors::DefaultPredictors(), ",");
  summary.plugins = args.plugins;
  summary.jobs = plan.jobs;
  summary.warnings = systems.notes();
  for (const snapshot::Loss& loss : plan.archive->lost()) {
    summary.warnings.push_back(absl::StrCat("lost: ", LossText(loss)));
  }
}

int ExitCodeOf(const std::vector<CutVerdict>& verdicts) {
  const bool found = std::any_of(verdicts.begin(), verdicts.end(), [](const CutVerdict& verdict) {
    return verdict.outcome == model::Outcome::kViolation ||
           verdict.outcome == model::Outcome::kNondeterminism;
  });
  return found ? kExitViolation : kExitNothing;
}

}  // namespace

int ReplayArchive(const ReplayArgs& args, const Parts& parts, Console& console) {
  const auto archive = snapshot::ArchiveReader::Open(args.file);
  if (!archive.ok()) return Fail(console, archive.status());
  ArchiveCheckPlan plan;
  ArchiveSummary summary;
  if (absl::Status bounds = PlanBounds(args, parts, plan); !bounds.ok()) {
    return Fail(console, bounds);
  }
  Systems systems(parts.catalog, args.force);
  if (absl::Status cuts = PlanCuts(args, **archive, systems, plan, summary); !cuts.ok()) {
    return Fail(console, Prefixed(args.file.c_str(), cuts));
  }
  Describe(args, systems, plan, summary);
  const Console::Time begin = console.now();
  const std::vector<CutVerdict> verdicts = CheckArchive(plan, console);
  summary.seconds = std::chrono::duration<double>(console.now() - begin).count();
  summary.interrupted = console.interrupted();
  const auto bad = std::find_if(verdicts.begin(), verdicts.end(),
                                [](const CutVerdict& verdict) { return !verdict.status.ok(); });
  const bool any = std::any_of(verdicts.begin(), verdicts.end(),
                               [](const CutVerdict& verdict) { return verdict.status.ok(); });
  if (!any) return Fail(console, Prefixed(args.file.c_str(), bad->status));
  const bool json_out = args.json == "-";
  if (json_out) console.out << SummaryJson(summary, plan, verdicts) << std::flush;
  if (!json_out && !args.json.empty()) {
    const absl::Status written =
        WriteFileAtomically(args.json, SummaryJson(summary, plan, verdicts));
    if (!written.ok()) return Fail(console, written);
  }
  const TerminalStyle& style = json_out ? console.err_style : console.out_style;
  (json_out ? console.err : console.out)
      << SummaryText(summary, plan, verdicts, style) << std::flush;
  const int code = ExitCodeOf(verdicts);
  return code == kExitNothing && summary.interrupted ? kExitInterrupted : code;
}

}  // namespace foretell::agent
