#include "foretell/agent/commands/check.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/nearest_name.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"
#include "foretell/dir/trace/components.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/interner.h"
#include "foretell/search/verdict.h"

namespace foretell::agent {
namespace {

using model::Outcome;

struct Plan {
  Selection selection;
  std::vector<model::Imagined> spaces;  // Where to look for violations; at least one.
  std::vector<std::string> notes;       // What to know about the start.
  const Engine* engine = nullptr;
  EngineOptions options;
  Bounds bounds;
};

absl::Status Prefixed(const char* option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", std::string(status.message())));
}

absl::Status PlanBounds(const CheckArgs& args, Plan& plan) {
  const auto time = ParseDuration(args.budget.empty() ? "60s" : args.budget);
  if (!time.ok()) return Prefixed("--budget", time.status());
  plan.bounds.time = *time;
  const auto bytes = ParseSize(args.memory.empty() ? "4GiB" : args.memory);
  if (!bytes.ok()) return Prefixed("--memory", bytes.status());
  plan.bounds.bytes = *bytes;
  if (!args.steps.empty()) {
    const auto steps = ParseCount(args.steps);
    if (!steps.ok()) return Prefixed("--steps", steps.status());
    plan.bounds.steps = *steps;
  }
  if (!args.depth.empty()) {
    const auto depth = ParseCount(args.depth);
    if (!depth.ok()) return Prefixed("--depth", depth.status());
    plan.bounds.depth = std::min<uint64_t>(*depth, UINT32_MAX);
  }
  plan.options.depth_max = static_cast<uint32_t>(plan.bounds.depth);
  return absl::OkStatus();
}

// What must be the same for a journal to be of use, as far as the engine does not know itself.
std::string JournalIdentity(const Plan& plan) {
  const Selection& selection = plan.selection;
  return absl::StrCat(selection.service, " ", selection.family->version(), ", scenario ",
                      selection.scenario, ", bug ", selection.bug.empty() ? "none" : selection.bug);
}

// Results of other handlers would be taken for results of these.
absl::Status PlanJournal(const CheckArgs& args, Plan& plan) {
  if (plan.selection.family->version() == model::kUnversioned) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--journal: service ", plan.selection.service,
        " does not say which version of its handlers this is; its family has to say version()"));
  }
  plan.options.journal = args.journal;
  plan.options.journal_identity = JournalIdentity(plan);
  return absl::OkStatus();
}

absl::Status PlanComponents(const CheckArgs& args, Plan& plan) {
  const model::System& system = plan.selection.system;
  if (args.components.empty()) {
    plan.options.components = system.components;
    if (system.components.empty()) return absl::OkStatus();
    plan.notes.push_back(absl::StrCat("Components as in the scenario: ", system.components, "."));
    return absl::OkStatus();
  }
  plan.options.components = args.components;
  const auto parsed = dir::Components::Parse(args.components, system.service->node_count());
  return parsed.ok() ? absl::OkStatus() : Prefixed("--components", parsed.status());
}

// An option that the engine would ignore is an error: the user would draw wrong conclusions.
absl::Status PlanEngineOptions(const CheckArgs& args, const Parts& parts, Plan& plan) {
  const auto refuse = [&](const char* option, bool Engine::*takes) {
    std::vector<std::string> others;
    for (const Engine& engine : parts.engines) {
      if (engine.*takes) others.push_back(engine.name);
    }
    return absl::InvalidArgumentError(
        absl::StrCat(option, " means nothing to engine ", plan.engine->name,
                     others.empty() ? "" : absl::StrCat(", but to ", absl::StrJoin(others, ", "))));
  };
  plan.options.all_invariants = args.all_invariants;
  if (!args.order.empty()) {
    if (!plan.engine->takes_order) return refuse("--order", &Engine::takes_order);
    if (args.order != "bfs" && args.order != "dfs") {
      return UnknownName("order", args.order, {"bfs", "dfs"});
    }
    plan.options.order =
        args.order == "bfs" ? search::Order::kBreadthFirst : search::Order::kDepthFirst;
  }
  if (!args.assertions.empty()) {
    if (!plan.engine->takes_assertions) return refuse("--assertions", &Engine::takes_assertions);
    if (args.assertions != "discard" && args.assertions != "verify") {
      return UnknownName("treatment of assertions", args.assertions, {"discard", "verify"});
    }
    plan.options.assertions =
        args.assertions == "discard" ? lmc::Assertions::kDiscard : lmc::Assertions::kVerify;
  }
  if (!args.depth.empty() && !plan.engine->takes_depth)
    return refuse("--depth", &Engine::takes_depth);
  if (!args.components.empty() && !plan.engine->takes_components)
    return refuse("--components", &Engine::takes_components);
  if (plan.engine->takes_components) {
    if (absl::Status status = PlanComponents(args, plan); !status.ok()) return status;
  }
  if (!args.dependency.empty()) {
    if (!plan.engine->takes_components) return refuse("--dependency", &Engine::takes_components);
    if (args.dependency != "exact" && args.dependency != "conservative") {
      return UnknownName("dependency", args.dependency, {"exact", "conservative"});
    }
    plan.options.dependency = args.dependency == "exact" ? dir::DependencyMode::kExact
                                                         : dir::DependencyMode::kConservative;
  }
  if (!args.journal.empty()) {
    if (!plan.engine->takes_components) return refuse("--journal", &Engine::takes_components);
    if (absl::Status status = PlanJournal(args, plan); !status.ok()) return status;
  }
  if (!args.threads.empty()) {
    if (!plan.engine->takes_threads) return refuse("--threads", &Engine::takes_threads);
    const auto threads = ParseCount(args.threads);
    if (!threads.ok()) return Prefixed("--threads", threads.status());
    constexpr uint64_t kThreadsMax = 1024;
    if (*threads > kThreadsMax) {
      return absl::InvalidArgumentError(
          absl::StrCat("--threads: ", *threads, ", the most is ", kThreadsMax));
    }
    plan.options.threads = static_cast<uint32_t>(*threads);
  }
  return absl::OkStatus();
}

absl::Status ExpectSame(const char* what, const std::string& asked, const std::string& recorded) {
  if (asked.empty() || asked == recorded) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("its ", what, " is '", recorded, "', not '", asked, "'"));
}

void NoteStart(const RecordedStart& start, Plan& plan) {
  const snapshot::Snapshot& cut = start.recorded.snapshot;
  plan.notes.push_back(absl::StrCat("Started from ", start.name, "."));
  if (!cut.exact) {
    plan.notes.push_back(absl::StrCat("The cut is not exact: ", absl::StrJoin(cut.notes, "; ")));
  }
  for (const snapshot::Loss& loss : start.lost) {
    plan.notes.push_back(absl::StrCat("Lost of that archive: ", LossText(loss), "."));
  }
  if (plan.spaces.size() > 1) {
    plan.notes.push_back(absl::StrCat(plan.spaces.size(), " spaces were imagined from it."));
  }
}

// The service and the cut that --from names.
absl::Status PlanRecorded(const CheckArgs& args, const Parts& parts, Plan& plan) {
  auto start = LoadStart(args.from);
  if (!start.ok()) return start.status();
  const snapshot::Origin& origin = start->recorded.origin;
  absl::Status same = ExpectSame("service", args.service, origin.service);
  if (same.ok()) same = ExpectSame("scenario", args.scenario, origin.scenario);
  if (same.ok()) same = ExpectSame("bug", args.bug, origin.bug);
  if (!same.ok()) return Prefixed(args.from.c_str(), same);
  auto selection = SelectOrigin(parts.catalog, origin);
  if (!selection.ok()) return Prefixed(args.from.c_str(), selection.status());
  plan.selection = *std::move(selection);
  plan.spaces = std::move(start->spaces);
  if (plan.spaces.empty()) {
    auto spaces = SpacesOf(*plan.selection.system.service, start->recorded.snapshot.cut);
    if (!spaces.ok()) return Prefixed(args.from.c_str(), spaces.status());
    plan.spaces = *std::move(spaces);
  }
  NoteStart(*start, plan);
  return absl::OkStatus();
}

absl::Status PlanStart(const CheckArgs& args, const Parts& parts, Plan& plan) {
  if (!args.from.empty()) return PlanRecorded(args, parts, plan);
  auto selection = Select(parts.catalog, args.service, args.scenario, args.bug);
  if (!selection.ok()) return selection.status();
  plan.selection = *std::move(selection);
  const model::SystemCut& start = plan.selection.system.start;
  plan.spaces.push_back({start, start, ""});
  return absl::OkStatus();
}

// Who asks for an engine by name must not take its silence for an answer.
absl::Status PlanCover(const Plan& plan) {
  if (!plan.engine->covers) return absl::OkStatus();
  for (const model::Imagined& space : plan.spaces) {
    const absl::Status covered = plan.engine->covers(*plan.selection.system.service, space.focus);
    if (!covered.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(plan.selection.service, ": ",
                                                     std::string(covered.message()),
                                                     "; `foretell check --help` lists others"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Plan> MakePlan(const CheckArgs& args, const Parts& parts) {
  Plan plan;
  const auto engine = SelectEngine(parts.engines, args.engine);
  absl::Status status = PlanStart(args, parts, plan);
  if (!status.ok()) return status;
  if (!engine.ok()) return engine.status();
  plan.engine = *engine;
  status = PlanBounds(args, plan);
  if (status.ok()) status = PlanEngineOptions(args, parts, plan);
  if (status.ok()) status = PlanCover(plan);
  if (!status.ok()) return status;
  return plan;
}

uint64_t PeakRssBytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// Explores within the plan's bounds and measures what it took.
absl::StatusOr<CheckRecord> Explore(Plan& plan, Streams& streams) {
  const Streams::Time begin = streams.now();
  const Streams::Time deadline = begin + plan.bounds.time;
  LiveLine line(streams);
  plan.options.progress = [&](const model::Progress& progress) {
    if (line.Due()) line.Show(ProgressText(progress, begin, streams.now(), deadline));
  };
  // An interrupt is a deadline that comes early: engines need not know about it.
  model::Budget budget({plan.bounds.steps, plan.bounds.bytes, deadline}, [&streams, deadline] {
    return streams.interrupted() ? deadline : streams.now();
  });
  const Selection& selection = plan.selection;
  auto explored = ExploreSpaces(*plan.engine, plan.options, *selection.system.service, plan.spaces,
                                /*first_only=*/true, budget);
  if (!explored.ok()) return explored.status();
  const model::Imagined& space =
      plan.spaces[explored->spaces.empty() ? 0 : explored->spaces.front()];
  std::vector<std::string>& notes = explored->report.notes;
  notes.insert(notes.begin(), plan.notes.begin(), plan.notes.end());
  if (!explored->spaces.empty() && !space.text.empty()) {
    notes.push_back(absl::StrCat("Imagined: ", space.text, "."));
  }
  plan.bounds.ended_by = budget.ended_by();
  plan.bounds.interrupted = streams.interrupted();
  // It was no limit that ended it.
  if (plan.bounds.interrupted) std::erase(notes, search::EndedBy(model::Budget::Limit::kTime));
  return CheckRecord{selection.service,
                     selection.scenario,
                     selection.bug,
                     plan.engine->name,
                     space.cut,
                     std::move(explored->report),
                     std::chrono::duration<double>(streams.now() - begin).count(),
                     PeakRssBytes(),
                     {}};
}

// Judges know how a scenario starts; where a recorded cut came from is not theirs to play.
std::vector<std::string> AskOthers(const CheckArgs& args, const Selection& selection,
                                   const model::Report& report) {
  std::vector<std::string> opinions;
  if (!args.from.empty()) return opinions;
  for (const model::Violation& violation : report.violations) {
    opinions.push_back(
        selection.family->SecondOpinion(selection.scenario, selection.bug, violation).value_or(""));
  }
  return opinions;
}

int ExitCodeOf(const model::Report& report, bool interrupted, bool require_complete) {
  if (report.outcome == Outcome::kViolation || report.outcome == Outcome::kNondeterminism) {
    return kExitViolation;
  }
  if (interrupted && !report.complete) return kExitInterrupted;
  return require_complete && !report.complete ? kExitIncomplete : kExitNothing;
}

}  // namespace

int RunCheck(const CheckArgs& args, const Parts& parts, Streams& streams) {
  absl::StatusOr<Plan> plan = MakePlan(args, parts);
  if (!plan.ok()) return Fail(streams, plan.status());
  absl::StatusOr<CheckRecord> record = Explore(*plan, streams);
  if (!record.ok()) return Fail(streams, record.status());
  record->opinions = AskOthers(args, plan->selection, record->report);
  std::vector<SpaceTime> pictures;
  for (const model::Violation& violation : record->report.violations) {
    auto picture =
        BuildSpaceTime(*plan->selection.system.service, record->start, violation, TitleOf(*record));
    if (!picture.ok()) return Fail(streams, picture.status());
    pictures.push_back(*std::move(picture));
  }
  const bool json_out = args.json == "-";
  if (json_out) streams.out << ToJson(*record, pictures) << std::flush;
  if (!json_out && !args.json.empty()) {
    const absl::Status written = WriteFileAtomically(args.json, ToJson(*record, pictures));
    if (!written.ok()) return Fail(streams, written);
  }
  CheckArgs full = args;
  full.scenario = record->scenario;
  full.bug = record->bug;
  full.engine = record->engine;
  const Look& look = json_out ? streams.err_look : streams.out_look;
  (json_out ? streams.err : streams.out)
      << VerdictText(*record, pictures, plan->bounds, CommandLine(full), look) << std::flush;
  return ExitCodeOf(record->report, plan->bounds.interrupted, args.require_complete);
}

}  // namespace foretell::agent
