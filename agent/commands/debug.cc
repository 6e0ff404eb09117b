#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/input.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/debug/command_loop.h"
#include "foretell/agent/debug/exporting.h"
#include "foretell/agent/debug/exports/spans.h"
#include "foretell/agent/debug/lines.h"
#include "foretell/agent/debug/subject.h"
#include "foretell/agent/telemetry/span_export.h"
#include "foretell/agent/telemetry/telemetry.h"

namespace foretell::agent {
namespace {

// `foretell debug`, as the user typed it; empty means not given.
struct DebugArgs {
  SubjectRequest subject;
  std::string script;  // A file of commands; "-": standard input.
  std::string format;  // Only exports.
  std::string output;  // Of the export.
};

// Spans of a model have no time of their own: they begin when the cut was taken, else now.
absl::StatusOr<std::string> SendSpans(const Session& session) {
  const ExportInput input = ExportOf(session);
  const SpanTree root = HypotheticalSpans(input);
  const bool recorded = session.subject().taken.has_value();
  const auto place =
      ExportSpans(root, {.service_name = kHypotheticalService,
                         .version = kVersion,
                         .start = recorded ? input.start : std::chrono::system_clock::now(),
                         .environment = ProcessEnvironment});
  if (!place.ok()) return place.status();
  return absl::StrCat("sent ", session.execution().steps() + 1, " spans of ", kHypotheticalService,
                      ", ", *place);
}

// Lines from the terminal, from a file, or from wherever standard input comes from.
absl::StatusOr<std::unique_ptr<Lines>> LinesOf(const DebugArgs& args, const Session& session,
                                               std::istringstream& script, const Input& input,
                                               Console& console) {
  if (!args.script.empty() && args.script != "-") {
    const auto text = ReadFile(args.script);
    if (!text.ok()) return text.status();
    script.str(*text);
    return std::make_unique<StreamLines>(script, console.out);
  }
  if (args.script.empty() && input.live) {
    return MakeTerminalLines(
        {.complete = [&session](const std::string& line) { return Completions(session, line); },
         .history = HistoryFile(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"))});
  }
  return std::make_unique<StreamLines>(input.lines, console.out);
}

int ExportOnly(const DebugArgs& args, Session& session, const Screen& screen, Console& console) {
  Words words = {args.format};
  const bool sent = args.format == kSentFormat && args.output.empty();
  if (!args.output.empty() && args.output != "-") words.push_back(args.output);
  if (args.output == "-" || (!sent && args.output.empty())) {
    const auto format = FindExport(args.format);
    if (!format.ok()) return Fail(console, format.status());
    console.out << (*format)->write(ExportOf(session)) << std::flush;
    return kExitNothing;
  }
  const absl::Status exported = RunExport(session, words, screen);
  return exported.ok() ? static_cast<int>(kExitNothing) : Fail(console, exported);
}

int RunDebug(const DebugArgs& args, const Parts& parts, Console& console) {
  if (!args.format.empty()) {
    if (const auto format = FindExport(args.format); !format.ok()) {
      return Fail(console, format.status());
    }
  } else if (!args.output.empty()) {
    return Fail(console, absl::InvalidArgumentError("--output means nothing without --export"));
  }
  auto subject = LoadSubject(args.subject, parts);
  if (!subject.ok()) return Fail(console, subject.status());
  const auto open = [&parts](const std::string& what) {
    return LoadSubject({.what = what}, parts);
  };
  auto session = Session::Begin(*std::move(subject), open);
  if (!session.ok()) {
    return Fail(console, absl::InvalidArgumentError(absl::StrCat(
                             args.subject.what, ": ", std::string(session.status().message()))));
  }
  const Screen screen{.out = console.out, .style = console.out_style, .send = SendSpans};
  if (!args.format.empty()) return ExportOnly(args, *session, screen, console);
  std::istringstream script;
  const Input input = StandardInput();
  const auto lines = LinesOf(args, *session, script, input, console);
  if (!lines.ok()) return Fail(console, lines.status());
  const bool typed = input.live && args.script.empty();
  Greet(*session, screen);
  if (typed) screen.Line("`help` lists the commands.");
  const size_t wrong = RunSession(**lines, *session, screen);
  // A person has seen what was wrong; a script has nobody to look.
  return wrong == 0 || typed ? kExitNothing : kExitUsage;
}

void AddSubjectOptions(CLI::App& app, SubjectRequest& subject) {
  app.add_option("WHAT", subject.what,
                 "A bundle, what `check --json` or `save` wrote, a recorded cut (FILE or FILE#N), "
                 "or a service")
      ->required()
      ->type_name("");
  app.add_option("--scenario", subject.scenario, "Service: where to start; may have settings")
      ->type_name("NAME");
  app.add_option("--bug", subject.bug, "Service: plant a known bug")->type_name("NAME");
  app.add_option("--violation", subject.violation, "Report: which violation; default 1")
      ->type_name("K");
  app.add_option("--imagine", subject.imagine,
                 "Recorded cut: start from the K-th space that the service imagines there")
      ->type_name("K");
  app.add_flag("--force", subject.force,
               "Also what another version of the service's code has recorded");
}

}  // namespace

Command AddDebug(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("debug", "Walk through an execution, forward, backward and elsewhere");
  app->footer(
      "Commands are read from the terminal, from --script FILE, or from standard input; `help`\n"
      "lists them. Exit code: 0, or 2 for bad usage or input, of a script's commands as well.\n\n"
      "Example:\n"
      "  foretell check paxos --bug first-value --json bug.json\n"
      "  foretell debug bug.json\n"
      "  foretell debug bug.json --export shiviz --output bug.log\n"
      "  foretell debug paxos --scenario two-proposals");
  auto args = std::make_shared<DebugArgs>();
  AddSubjectOptions(*app, args->subject);
  app->add_option("--script", args->script, "Read commands from FILE, - for standard input")
      ->type_name("FILE");
  app->add_option(
         "--export", args->format,
         absl::StrCat("Only write the path, for other tools: ", absl::StrJoin(ExportNames(), ", "),
                      "; otlp is sent where OTEL_* says, unless there is --output"))
      ->type_name("FORMAT");
  app->add_option("--output", args->output, "Of --export: a file, - for standard output")
      ->type_name("FILE");
  auto plugins = AddPluginOption(*app);
  return {app, plugins,
          [args](const Parts& parts, Console& console) { return RunDebug(*args, parts, console); }};
}

}  // namespace foretell::agent
