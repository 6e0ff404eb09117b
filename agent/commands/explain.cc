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
#include "foretell/agent/console/text.h"
#include "foretell/agent/debug/saved_path.h"
#include "foretell/agent/drawing/drawing.h"
#include "foretell/agent/formats/gtest_path.h"
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

// A violation of the file on the file's service, replayed.
struct Explained {
  CheckRecord record;
  Selection selection;
  model::Violation violation;
  SpaceTime picture;
};

absl::StatusOr<Explained> Rebuild(const ExplainArgs& args, const Parts& parts) {
  auto text = ReadFile(args.file);
  if (!text.ok()) return text.status();
  auto record = FromJson(*text);
  if (!record.ok()) return record.status();
  const auto index = ViolationIndex(args, *record);
  if (!index.ok()) return index.status();
  auto selection = Select(parts.catalog, record->service, record->scenario, record->bug);
  if (!selection.ok()) return selection.status();
  const model::Service& service = *selection->system.service;
  model::Violation& violation = record->report.violations[*index];
  auto confirmed =
      ReplayRecorded(service, record->start, violation.invariant, std::move(violation.path));
  if (!confirmed.ok()) return confirmed.status();
  confirmed->death = violation.death;
  auto picture = BuildSpaceTime(service, record->start, *confirmed, TitleOf(*record));
  if (!picture.ok()) return picture.status();
  return Explained{*std::move(record), *std::move(selection), *std::move(confirmed),
                   *std::move(picture)};
}

std::string TextOf(const Explained& explained, const ExplainArgs& args,
                   const TerminalStyle& style) {
  const CheckRecord& record = explained.record;
  // Nobody finds what a person has put together; it can only be looked at again.
  if (record.engine == kDebugEngine) {
    return absl::StrCat(
        explained.picture.title, "\n",
        ViolationText(explained.picture, absl::StrCat("foretell debug ", ShellWord(args.file)),
                      style));
  }
  const CheckWords again{.service = record.service,
                         .options = {{"--scenario", record.scenario},
                                     {"--bug", record.bug},
                                     {"--engine", record.engine}},
                         .plugins = args.plugins};
  return absl::StrCat(explained.picture.title, "\n",
                      ViolationText(explained.picture, CommandLine(again), style));
}

absl::StatusOr<std::string> GtestOf(const Explained& explained, const ExplainArgs& args) {
  const CheckRecord& record = explained.record;
  return WriteGtest({.service = record.service,
                     .scenario = record.scenario,
                     .bug = record.bug,
                     .invariant = explained.violation.invariant,
                     .why = explained.violation.text,
                     .system = explained.selection.system,
                     .start = record.start,
                     .path = explained.violation.path,
                     .plugins = args.plugins});
}

}  // namespace

int RunExplain(const ExplainArgs& args, const Parts& parts, Console& console) {
  const DrawingRequest drawing{args.format, args.output};
  if (absl::Status known = CheckDrawing(drawing); !known.ok()) return Fail(console, known);
  const absl::StatusOr<Explained> explained = Rebuild(args, parts);
  if (!explained.ok()) {
    const std::string message(explained.status().message());
    const bool named = message.starts_with(args.file);
    return Fail(console, absl::InvalidArgumentError(
                             named ? message : absl::StrCat(args.file, ": ", message)));
  }
  const OwnForms own{
      .text = [&](const TerminalStyle& style) { return TextOf(*explained, args, style); },
      .gtest = [&] { return GtestOf(*explained, args); }};
  const absl::Status drawn = Draw(drawing, explained->picture, own, console);
  return drawn.ok() ? static_cast<int>(kExitNothing) : Fail(console, drawn);
}

Command AddExplain(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("explain", "Replay a violation that `check --json` found, and draw it");
  app->footer(
      "Example:\n"
      "  foretell check paxos --bug first-value --json bug.json\n"
      "  foretell explain bug.json --format svg --output bug.svg\n"
      "  foretell explain bug.json --format gtest --output bug_test.cc");
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
