#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/check_options.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/check/conclusions.h"
#include "foretell/agent/check/spaces.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/commands/check_plan.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/doctor/diagnosis_json.h"
#include "foretell/agent/doctor/diagnosis_text.h"
#include "foretell/agent/doctor/examination.h"
#include "foretell/agent/formats/formats.h"
#include "foretell/agent/guard/guard.h"
#include "foretell/model/budget.h"
#include "foretell/model/liveness/liveness.h"
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
  ExpectEnd(std::chrono::steady_clock::now() + plan.request.bounds.time);
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
                     .start = explored->start.value_or(space.cut),
                     .report = std::move(explored->report),
                     .seconds = std::chrono::duration<double>(console.now() - begin).count(),
                     .peak_rss_bytes = PeakRssBytes(),
                     .ended_by = budget.ended_by(),
                     .interrupted = interrupted,
                     .opinions = {},
                     .coverage = std::move(explored->coverage),
                     .death_events = {},
                     .cut_numbers = plan.cut_numbers};
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

int ExitCodeOf(const CheckRecord& record, const CheckRequest& asked) {
  const model::Report& report = record.report;
  if (report.outcome == Outcome::kViolation || report.outcome == Outcome::kNondeterminism) {
    return kExitViolation;
  }
  if (record.interrupted && !report.complete) return kExitInterrupted;
  if (asked.require_complete && !report.complete) return kExitIncomplete;
  const predictors::Coverage& coverage = record.coverage;
  const bool covered = predictors::IsFull(coverage) && coverage.doubts.empty();
  return asked.require_coverage && !covered ? kExitUncovered : kExitNothing;
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

// The result in one form, and its place: a file, "-" for standard output, or empty for where the
// verdict is.
struct Output {
  std::string place;
  std::string text;
};

std::vector<Output> OutputsOf(const CheckRequest& request, const CheckRecord& record,
                              const std::vector<SpaceTime>& pictures, const Findings& findings) {
  std::vector<Output> outputs;
  const auto add = [&](const char* flag, const std::function<std::string()>& write) {
    const auto wanted = request.outputs.find(flag);
    if (wanted != request.outputs.end()) outputs.push_back({wanted->second, write()});
  };
  add(kJsonFlag, [&] { return ToJson(record, pictures); });
  for (const ResultFormat& format : ResultFormats()) {
    add(format.flag, [&] { return format.write(findings); });
  }
  return outputs;
}

absl::Status WriteFiles(const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    if (output.place.empty() || output.place == "-") continue;
    const absl::Status written = WriteFileAtomically(output.place, output.text);
    if (!written.ok()) return written;
  }
  return absl::OkStatus();
}

// Whoever reads a report from standard output finds nothing else there.
void Print(const std::vector<Output>& outputs, Console& console,
           const std::function<std::string(const TerminalStyle&)>& verdict) {
  bool taken = false;
  for (const Output& output : outputs) {
    if (output.place != "-") continue;
    taken = true;
    console.out << output.text << std::flush;
  }
  std::ostream& stream = taken ? console.err : console.out;
  stream << verdict(taken ? console.err_style : console.out_style);
  for (const Output& output : outputs) {
    if (output.place.empty()) stream << output.text;
  }
  stream << std::flush;
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
  if (const auto& found = record->report.violations; !found.empty() && found[0].death) {
    record->death_events = EventsOf(*plan->selection.system.service, *found[0].death);
  }
  const std::string again = FindAgain(words, *record, parts);
  const Findings findings =
      Conclude(*plan->selection.system.service, *record, pictures, plan->request, again);
  const std::vector<Output> outputs = OutputsOf(plan->request, *record, pictures, findings);
  if (absl::Status written = WriteFiles(outputs); !written.ok()) return Fail(console, written);
  Print(outputs, console, [&](const TerminalStyle& style) {
    return VerdictText(*record, pictures, plan->request, again, style);
  });
  return ExitCodeOf(*record, plan->request);
}

std::string NotEmpty(const std::string& value) { return value.empty() ? "is empty" : ""; }

void AddCheckOption(CLI::App& app, const CheckOption& option, const Parts& parts,
                    CheckWords& words) {
  const std::string help = HelpOf(option, parts.engines);
  const auto keep = [&words, flag = option.flag](const std::string& value) {
    words.options[flag] = value;
  };
  if (option.metavar.empty()) {
    app.add_flag_callback(
        option.flag, [keep] { keep(""); }, help);
    return;
  }
  const auto keep_all = [keep](const std::vector<std::string>& values) {
    keep(absl::StrJoin(values, ","));
  };
  CLI::Option* const added =
      option.repeats
          ? app.add_option_function<std::vector<std::string>>(option.flag, keep_all, help)
                ->expected(1)
                ->take_all()
          : app.add_option_function<std::string>(option.flag, keep, help);
  added->type_name(option.metavar);
  if (!option.may_be_empty) added->check(NotEmpty);
}

// `foretell doctor`, as the user typed it; empty means not given.
struct DoctorArgs {
  CheckWords words;
  std::string states;
  std::string trials;
};

// The options that it shares with `check`.
bool IsShared(const CheckOption& option) {
  static const std::vector<std::string> kFlags = {"--scenario", "--bug",        "--param",
                                                  "--crashes",  "--breaks",     "--duplicates",
                                                  "--budget",   "--memory",     kJsonFlag};
  return std::find(kFlags.begin(), kFlags.end(), option.flag) != kFlags.end();
}

absl::Status ReadCount(const char* flag, const std::string& text, uint64_t max, uint64_t& value) {
  if (text.empty()) return absl::OkStatus();
  const auto count = ParseCount(text);
  if (!count.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": ", std::string(count.status().message())));
  }
  value = std::min(*count, max);
  return absl::OkStatus();
}

absl::StatusOr<Examination> ExamineWithin(const CheckRequest& request,
                                          const ExaminationOptions& options, const Parts& parts,
                                          Console& console) {
  const Console::Time deadline = console.now() + request.bounds.time;
  ExpectEnd(std::chrono::steady_clock::now() + request.bounds.time);
  model::Budget budget({.bytes_max = request.bounds.bytes, .deadline = deadline},
                       [&console, deadline] {
                         return console.interrupted() ? deadline : console.now();
                       });
  LiveLine line(console);
  return Examine(parts.catalog, request, options, budget,
                 [&](const std::string& phase) {
                   if (console.live) line.Show(absl::StrCat("doctor  ", phase));
                 });
}

int RunDoctor(const DoctorArgs& args, const Parts& parts, Console& console) {
  const auto request = ReadRequest(args.words);
  if (!request.ok()) return Fail(console, request.status());
  uint64_t states = ExaminationOptions().states_max;
  uint64_t trials = ExaminationOptions().trials_max;
  absl::Status read = ReadCount("--states", args.states, UINT32_MAX - 1, states);
  if (read.ok()) read = ReadCount("--trials", args.trials, UINT64_MAX, trials);
  if (!read.ok()) return Fail(console, read);
  const auto found = ExamineWithin(
      *request, {.states_max = static_cast<uint32_t>(states), .trials_max = trials}, parts,
      console);
  if (!found.ok()) return Fail(console, found.status());
  const auto json = request->outputs.find(kJsonFlag);
  if (json != request->outputs.end() && json->second == "-") {
    console.out << DiagnosisJson(*found) << std::flush;
    return kExitNothing;
  }
  if (json != request->outputs.end()) {
    const absl::Status written = WriteFileAtomically(json->second, DiagnosisJson(*found));
    if (!written.ok()) return Fail(console, written);
  }
  console.out << DiagnosisText(*found, console.out_style) << std::flush;
  return kExitNothing;
}

}  // namespace

Command AddCheck(CLI::App& root, const Parts& parts) {
  CLI::App* const app = root.add_subcommand("check", "Search a service for violations");
  app->footer(
      "Exit code: 0 nothing found, 1 violation, 2 bad usage or input,\n"
      "3 not complete although --require-complete asks for it,\n"
      "4 something never happened although --require-coverage asks for it,\n"
      "130 interrupted before anything was found.\n\n"
      "Example:\n"
      "  foretell check paxos --scenario learned-by-one --bug last-response --budget 10s\n"
      "  foretell check transport --property all-acked --bug stale-syn\n"
      "  foretell check paxos --require-complete --junit paxos.xml --html paxos.html --github");
  auto words = std::make_shared<CheckWords>();
  app->add_option("SERVICE", words->service, "One of `foretell services`")
      ->required()
      ->type_name("");
  for (const CheckOption& option : CheckOptions()) AddCheckOption(*app, option, parts, *words);
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [words, plugins](const Parts& all, Console& console) {
            words->plugins = *plugins;
            return RunCheck(*words, all, console);
          }};
}

Command AddDoctor(CLI::App& root, const Parts& parts) {
  CLI::App* const app = root.add_subcommand(
      "doctor", "Examine the fields of a service: which could be left out of its states");
  app->footer(
      "Compares states that were met and differ in one field only. It looks at the first states\n"
      "of every scenario, or of the one that is asked for, and only suggests: a field on which\n"
      "nothing depended could be Auxiliary<...>, which a check leaves out of its states.\n\n"
      "Exit code: 0 examined, 2 bad usage or input, or a service that is not deterministic.\n\n"
      "Example:\n"
      "  foretell doctor register --scenario register-5 --states 250000");
  auto args = std::make_shared<DoctorArgs>();
  app->add_option("SERVICE", args->words.service, "One of `foretell services`")
      ->required()
      ->type_name("");
  for (const CheckOption& option : CheckOptions()) {
    if (IsShared(option)) AddCheckOption(*app, option, parts, args->words);
  }
  app->add_option("--states", args->states, "States of each scenario; default 50000")
      ->type_name("N");
  app->add_option("--trials", args->trials, "Trials of each field, about; default 4000")
      ->type_name("N");
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args](const Parts& all, Console& console) {
            return RunDoctor(*args, all, console);
          }};
}

}  // namespace foretell::agent
