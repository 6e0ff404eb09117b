#include "foretell/agent/commands/check_plan.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/console/nearest_name.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"
#include "foretell/dir/trace/components.h"

namespace foretell::agent {
namespace {

using predictors::EngineOption;

absl::Status Prefixed(const char* option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", std::string(status.message())));
}

absl::Status PlanBounds(const CheckArgs& args, CheckPlan& plan) {
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
std::string JournalIdentity(const CheckPlan& plan) {
  const Selection& selection = plan.selection;
  return absl::StrCat(selection.service, " ", selection.family->version(), ", scenario ",
                      selection.scenario, ", bug ", selection.bug.empty() ? "none" : selection.bug);
}

// Results of other handlers would be taken for results of these.
absl::Status PlanJournal(const CheckArgs& args, CheckPlan& plan) {
  if (plan.selection.family->version() == model::kUnversioned) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--journal: service ", plan.selection.service,
        " does not say which version of its handlers this is; its family has to say version()"));
  }
  plan.options.journal = args.journal;
  plan.options.journal_identity = JournalIdentity(plan);
  return absl::OkStatus();
}

absl::Status PlanComponents(const CheckArgs& args, CheckPlan& plan) {
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
absl::Status PlanEngineOptions(const CheckArgs& args, const Parts& parts, CheckPlan& plan) {
  const auto refuse = [&](const char* option, EngineOption kind) {
    std::vector<std::string> others;
    for (const predictors::Engine& engine : parts.engines) {
      if (engine.accepts.contains(kind)) others.push_back(engine.name);
    }
    return absl::InvalidArgumentError(
        absl::StrCat(option, " means nothing to engine ", plan.engine->name,
                     others.empty() ? "" : absl::StrCat(", but to ", absl::StrJoin(others, ", "))));
  };
  const auto takes = [&](EngineOption kind) { return plan.engine->accepts.contains(kind); };
  plan.options.all_invariants = args.all_invariants;
  if (!args.order.empty()) {
    if (!takes(EngineOption::kOrder)) return refuse("--order", EngineOption::kOrder);
    if (args.order != "bfs" && args.order != "dfs") {
      return UnknownName("order", args.order, {"bfs", "dfs"});
    }
    plan.options.order =
        args.order == "bfs" ? search::Order::kBreadthFirst : search::Order::kDepthFirst;
  }
  if (!args.assertions.empty()) {
    if (!takes(EngineOption::kAssertions)) return refuse("--assertions", EngineOption::kAssertions);
    if (args.assertions != "discard" && args.assertions != "verify") {
      return UnknownName("treatment of assertions", args.assertions, {"discard", "verify"});
    }
    plan.options.assertions =
        args.assertions == "discard" ? lmc::Assertions::kDiscard : lmc::Assertions::kVerify;
  }
  if (!args.depth.empty() && !takes(EngineOption::kDepth))
    return refuse("--depth", EngineOption::kDepth);
  if (!args.components.empty() && !takes(EngineOption::kComponents))
    return refuse("--components", EngineOption::kComponents);
  if (takes(EngineOption::kComponents)) {
    if (absl::Status status = PlanComponents(args, plan); !status.ok()) return status;
  }
  if (!args.dependency.empty()) {
    if (!takes(EngineOption::kDependency)) return refuse("--dependency", EngineOption::kDependency);
    if (args.dependency != "exact" && args.dependency != "conservative") {
      return UnknownName("dependency", args.dependency, {"exact", "conservative"});
    }
    plan.options.dependency = args.dependency == "exact" ? dir::DependencyMode::kExact
                                                         : dir::DependencyMode::kConservative;
  }
  if (!args.journal.empty()) {
    if (!takes(EngineOption::kJournal)) return refuse("--journal", EngineOption::kJournal);
    if (absl::Status status = PlanJournal(args, plan); !status.ok()) return status;
  }
  if (!args.threads.empty()) {
    if (!takes(EngineOption::kThreads)) return refuse("--threads", EngineOption::kThreads);
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

void NoteStart(const RecordedStart& start, CheckPlan& plan) {
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
absl::Status PlanRecorded(const CheckArgs& args, const Parts& parts, CheckPlan& plan) {
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

absl::Status PlanStart(const CheckArgs& args, const Parts& parts, CheckPlan& plan) {
  if (!args.from.empty()) return PlanRecorded(args, parts, plan);
  auto selection = Select(parts.catalog, args.service, args.scenario, args.bug);
  if (!selection.ok()) return selection.status();
  plan.selection = *std::move(selection);
  const model::SystemCut& start = plan.selection.system.start;
  plan.spaces.push_back({start, start, ""});
  return absl::OkStatus();
}

// Who asks for an engine by name must not take its silence for an answer.
absl::Status PlanCover(const CheckPlan& plan) {
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

}  // namespace

absl::StatusOr<CheckPlan> MakePlan(const CheckArgs& args, const Parts& parts) {
  CheckPlan plan;
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

}  // namespace foretell::agent
