#include "foretell/agent/commands/explain.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/check_request.h"
#include "foretell/agent/check/verdict.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/drawing/drawing.h"
#include "foretell/agent/recorded/recorded_path.h"

namespace foretell::agent {
namespace {

absl::StatusOr<size_t> ViolationIndex(const ExplainArgs& args, const CheckRecord& record) {
  const size_t count = record.report.violations.size();
  if (count == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the report has no violation to explain, its outcome is ",
                     model::OutcomeName(record.report.outcome)));
  }
  if (args.violation.empty()) return 0;
  const auto wanted = ParseCount(args.violation);
  if (!wanted.ok()) return wanted.status();
  if (*wanted <= count) return *wanted - 1;
  return absl::InvalidArgumentError(
      absl::StrCat("there is no violation ", *wanted, ", the report has ", count));
}

// The file's violation on the file's service, replayed.
absl::StatusOr<SpaceTime> Rebuild(const ExplainArgs& args, const Parts& parts,
                                  CheckRecord& record) {
  auto text = ReadFile(args.file);
  if (!text.ok()) return text.status();
  auto parsed = FromJson(*text);
  if (!parsed.ok()) return parsed.status();
  record = *std::move(parsed);
  const auto index = ViolationIndex(args, record);
  if (!index.ok()) return index.status();
  const auto selection = Select(parts.catalog, record.service, record.scenario, record.bug);
  if (!selection.ok()) return selection.status();
  const model::Service& service = *selection->system.service;
  model::Violation& violation = record.report.violations[*index];
  auto confirmed =
      ReplayRecorded(service, record.start, violation.invariant, std::move(violation.path));
  if (!confirmed.ok()) return confirmed.status();
  return BuildSpaceTime(service, record.start, *confirmed, TitleOf(record));
}

std::string TextOf(const SpaceTime& picture, const CheckRecord& record, const ExplainArgs& args,
                   const TerminalStyle& style) {
  const CheckWords again{.service = record.service,
                         .options = {{"--scenario", record.scenario},
                                     {"--bug", record.bug},
                                     {"--engine", record.engine}},
                         .plugins = args.plugins};
  return absl::StrCat(picture.title, "\n", ViolationText(picture, CommandLine(again), style));
}

}  // namespace

int RunExplain(const ExplainArgs& args, const Parts& parts, Console& console) {
  const DrawingRequest drawing{args.format, args.output};
  if (absl::Status known = CheckDrawing(drawing); !known.ok()) return Fail(console, known);
  CheckRecord record;
  const absl::StatusOr<SpaceTime> picture = Rebuild(args, parts, record);
  if (!picture.ok()) {
    const std::string message(picture.status().message());
    const bool named = message.starts_with(args.file);
    return Fail(console, absl::InvalidArgumentError(
                             named ? message : absl::StrCat(args.file, ": ", message)));
  }
  const absl::Status drawn = Draw(
      drawing, *picture,
      [&](const TerminalStyle& style) { return TextOf(*picture, record, args, style); }, console);
  return drawn.ok() ? static_cast<int>(kExitNothing) : Fail(console, drawn);
}

Command AddExplain(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("explain", "Replay a violation that `check --json` found, and draw it");
  app->footer(
      "Example:\n"
      "  foretell check paxos --bug first-value --json bug.json\n"
      "  foretell explain bug.json --format svg --output bug.svg");
  auto args = std::make_shared<ExplainArgs>();
  app->add_option("FILE", args->file, "What `foretell check --json` wrote")
      ->required()
      ->type_name("");
  app->add_option("--format", args->format, FormatsText())->type_name("FORMAT");
  app->add_option("--output", args->output, "Write to FILE instead of standard output")
      ->type_name("FILE");
  app->add_option("--violation", args->violation, "Which violation of the report; default 1")
      ->type_name("K");
  auto plugins = AddPluginOption(*app);
  return {app, plugins, [args, plugins](const Parts& parts, Console& console) {
            args->plugins = *plugins;
            return RunExplain(*args, parts, console);
          }};
}

}  // namespace foretell::agent
