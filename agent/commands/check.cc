#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_options.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"
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
absl::StatusOr<CheckRecord> Explore(CheckPlan& plan, Console& console) {
  const Console::Time begin = console.now();
  const Console::Time deadline = begin + plan.request.bounds.time;
  LiveLine line(console);
  plan.request.options.progress = [&](const model::Progress& progress) {
    if (line.Due()) line.Show(ProgressText(progress, begin, console.now(), deadline));
  };
  // An interrupt is a deadline that comes early: engines need not know about it.
  const Bounds& bounds = plan.request.bounds;
  model::Budget budget({bounds.steps, bounds.bytes, deadline}, [&console, deadline] {
    return console.interrupted() ? deadline : console.now();
  });
  const Selection& selection = plan.selection;
  auto explored =
      ExploreSpaces(*plan.engine, plan.request.options, *selection.system.service, plan.spaces,
                    /*first_only=*/true, budget);
  if (!explored.ok()) return explored.status();
  const model::Imagined& space =
      plan.spaces[explored->spaces.empty() ? 0 : explored->spaces.front()];
  std::vector<std::string>& notes = explored->report.notes;
  notes.insert(notes.begin(), plan.notes.begin(), plan.notes.end());
  if (!explored->spaces.empty() && !space.text.empty()) {
    notes.push_back(absl::StrCat("Imagined: ", space.text, "."));
  }
  const bool interrupted = console.interrupted();
  // It was no limit that ended it.
  if (interrupted) std::erase(notes, search::EndedBy(model::Budget::Limit::kTime));
  return CheckRecord{.service = selection.service,
                     .scenario = selection.scenario,
                     .bug = selection.bug,
                     .engine = plan.engine->name,
                     .start = space.cut,
                     .report = std::move(explored->report),
                     .seconds = std::chrono::duration<double>(console.now() - begin).count(),
                     .peak_rss_bytes = PeakRssBytes(),
                     .ended_by = budget.ended_by(),
                     .interrupted = interrupted,
                     .opinions = {}};
}

// Judges know how a scenario starts; where a recorded cut came from is not theirs to play.
std::vector<std::string> AskOthers(const CheckPlan& plan, const model::Report& report) {
  std::vector<std::string> opinions;
  if (!plan.request.from.empty()) return opinions;
  const Selection& selection = plan.selection;
  for (const model::Violation& violation : report.violations) {
    opinions.push_back(
        selection.family->SecondOpinion(selection.scenario, selection.bug, violation).value_or(""));
  }
  return opinions;
}

int ExitCodeOf(const CheckRecord& record, bool require_complete) {
  const model::Report& report = record.report;
  if (report.outcome == Outcome::kViolation || report.outcome == Outcome::kNondeterminism) {
    return kExitViolation;
  }
  if (record.interrupted && !report.complete) return kExitInterrupted;
  return require_complete && !report.complete ? kExitIncomplete : kExitNothing;
}

// The command that finds the same again, with every name that was left to a default. Of several
// engines, the one that found it: alone it finds the same path every time, and sooner.
std::string FindAgain(CheckWords words, const CheckRecord& record, const Parts& parts) {
  words.options["--scenario"] = record.scenario;
  words.options["--bug"] = record.bug;
  const std::string& finder = record.report.answer_of;
  words.options["--engine"] = finder.empty() ? record.engine : finder;
  const auto engine = SelectEngine(parts.engines, words.options["--engine"]);
  if (engine.ok()) DropUntaken(**engine, words);
  return CommandLine(words);
}

// Returns an ExitCode. Nothing goes to `console.out` before the check is over.
int RunCheck(const CheckWords& words, const Parts& parts, Console& console) {
  absl::StatusOr<CheckPlan> plan = MakePlan(words, parts);
  if (!plan.ok()) return Fail(console, plan.status());
  absl::StatusOr<CheckRecord> record = Explore(*plan, console);
  if (!record.ok()) return Fail(console, record.status());
  record->opinions = AskOthers(*plan, record->report);
  std::vector<SpaceTime> pictures;
  for (const model::Violation& violation : record->report.violations) {
    auto picture =
        BuildSpaceTime(*plan->selection.system.service, record->start, violation, TitleOf(*record));
    if (!picture.ok()) return Fail(console, picture.status());
    pictures.push_back(*std::move(picture));
  }
  const CheckRequest& request = plan->request;
  const bool json_out = request.json == "-";
  if (json_out) console.out << ToJson(*record, pictures) << std::flush;
  if (!json_out && !request.json.empty()) {
    const absl::Status written = WriteFileAtomically(request.json, ToJson(*record, pictures));
    if (!written.ok()) return Fail(console, written);
  }
  const TerminalStyle& style = json_out ? console.err_style : console.out_style;
  (json_out ? console.err : console.out)
      << VerdictText(*record, pictures, request, FindAgain(words, *record, parts), style)
      << std::flush;
  return ExitCodeOf(*record, request.require_complete);
}

std::string NotEmpty(const std::string& value) { return value.empty() ? "is empty" : ""; }

// `words` outlives the app's parsing.
void AddOption(CLI::App& app, const CheckOption& option, const Parts& parts, CheckWords& words) {
  const std::string help = HelpOf(option, parts.engines);
  const auto keep = [&words, flag = option.flag](const std::string& value) {
    words.options[flag] = value;
  };
  if (option.metavar.empty()) {
    app.add_flag_callback(
        option.flag, [keep] { keep(""); }, help);
    return;
  }
  CLI::Option* const added = app.add_option_function<std::string>(option.flag, keep, help);
  added->type_name(option.metavar);
  if (!option.may_be_empty) added->check(NotEmpty);
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
  auto words = std::make_shared<CheckWords>();
  app->add_option("SERVICE", words->service, "One of `foretell services`")
      ->required()
      ->type_name("");
  for (const CheckOption& option : CheckOptions()) AddOption(*app, option, parts, *words);
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [words, plugins](const Parts& all, Console& console) {
            words->plugins = *plugins;
            return RunCheck(*words, all, console);
          }};
}

}  // namespace foretell::agent
