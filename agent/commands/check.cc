#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/commands/check_plan.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/model/budget.h"
#include "foretell/search/verdict.h"

namespace foretell::agent {
namespace {

using model::Outcome;

uint64_t PeakRssBytes() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// Explores within the plan's bounds and measures what it took.
absl::StatusOr<CheckRecord> Explore(CheckPlan& plan, Streams& streams) {
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

// Returns an ExitCode. Nothing goes to `streams.out` before the check is over.
int RunCheck(const CheckArgs& args, const Parts& parts, Streams& streams) {
  absl::StatusOr<CheckPlan> plan = MakePlan(args, parts);
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

std::string EngineHelp(const Parts& parts) {
  std::string text = "Engine; the default is " + parts.engines.front().name;
  for (const predictors::Engine& engine : parts.engines) {
    absl::StrAppend(&text, "\n  ", engine.name, ": ", engine.text);
  }
  return text;
}

// Whoever writes --journal "$FILE" and has no FILE would get no journal.
std::string NotEmpty(const std::string& value) { return value.empty() ? "is empty" : ""; }

void AddCheckBounds(CLI::App& app, CheckArgs& args) {
  app.add_option("--budget", args.budget, "Time to spend: 500ms, 10s, 2m, 1h; default 60s")
      ->type_name("TIME");
  app.add_option("--steps", args.steps, "Steps to spend; makes a bounded check repeatable")
      ->type_name("N");
  app.add_option("--depth", args.depth, "Follow paths of at most N steps; not engine dir")
      ->type_name("N");
  app.add_option("--memory", args.memory, "Memory to hold: 512MiB, 4GiB, 2GB; default 4GiB")
      ->type_name("SIZE");
  app.add_option("--order", args.order, "bfs (shortest paths) or dfs; engines global and por")
      ->type_name("ORDER");
  app.add_option("--assertions", args.assertions,
                 "What to make of a broken local assertion, engines lmc and\n"
                 "lmc-gen: discard the state (default) or verify that it is real")
      ->type_name("HOW");
  app.add_option("--threads", args.threads, "Threads of engines portfolio and dir; default 2")
      ->type_name("N");
  app.add_option("--components", args.components,
                 "Engine dir: which nodes belong together, like 0,1/2-5, or\n"
                 "components of components, like (0/1)/(2-3/4,5); default: as the\n"
                 "scenario says, else every node on its own")
      ->type_name("GROUPS")
      ->check(NotEmpty);
  app.add_option("--dependency", args.dependency,
                 "Engine dir: exact (default), or conservative: any two events of a node")
      ->type_name("MODE");
  app.add_option("--journal", args.journal,
                 "Engine dir: keep results here (of further spaces of a recorded cut\n"
                 "in FILE.2, ...); the same command goes on with them if it was killed.\n"
                 "A power failure can cost the last 200 ms, or MiB")
      ->type_name("FILE")
      ->check(NotEmpty);
}

}  // namespace

Command AddCheck(CLI::App& root, const Parts& parts) {
  CLI::App* const app = root.add_subcommand("check", "Search a service for violations");
  app->footer(
      "Exit code: 0 nothing found, 1 violation, 2 bad usage or input,\n"
      "3 not complete although --require-complete asks for it,\n"
      "130 interrupted before anything was found.\n\n"
      "Example:\n"
      "  foretell check paxos --scenario learned-by-one --bug last-response --budget 10s");
  auto args = std::make_shared<CheckArgs>();
  app->add_option("SERVICE", args->service, "One of `foretell services`")
      ->required()
      ->type_name("");
  app->add_option("--scenario", args->scenario, "Where to start; default: the service's first")
      ->type_name("NAME");
  app->add_option("--bug", args->bug, "Plant this bug")->type_name("NAME");
  app->add_option("--from", args->from,
                  "Start from a recorded cut instead: a bundle, or an archive's\n"
                  "last snapshot, or its snapshot N; scenario and bug are the record's")
      ->type_name("FILE[#N]");
  app->add_option("--engine", args->engine, EngineHelp(parts))->type_name("NAME");
  AddCheckBounds(*app, *args);
  app->add_flag("--all-invariants", args->all_invariants,
                "Go on after a violation until every invariant is decided");
  app->add_flag("--require-complete", args->require_complete,
                "Exit 3 unless the whole space was covered");
  app->add_option("--json", args->json, "Write the result as JSON to FILE, - for standard output")
      ->type_name("FILE");
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& all, Streams& streams) {
            args->plugins = *plugins;
            return RunCheck(*args, all, streams);
          }};
}

}  // namespace foretell::agent
