#include "agent/command_explain.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "agent/check_record.h"
#include "agent/command_check.h"
#include "agent/files.h"
#include "agent/mermaid.h"
#include "agent/nearest_name.h"
#include "agent/quantities.h"
#include "agent/svg.h"
#include "agent/verdict.h"
#include "model/plain_system.h"

namespace foretell::agent {
namespace {

using model::EventKind;

// Replay renders what it refuses, so bodies must be known to be of this service before it.
absl::Status ValidatePath(const model::Service& service, const model::Path& path) {
  for (size_t i = 0; i < path.size(); ++i) {
    const model::Event& event = path[i].event;
    const bool valid = event.kind == EventKind::kDeliver  ? service.ValidMessage(event.body)
                       : event.kind == EventKind::kAction ? service.ValidAction(event.body)
                                                          : event.body.empty();
    if (valid) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("step ", i + 1, " of ", path.size(), ": its ", event.body.size(),
                     " bytes are no ", model::KindName(event.kind), " event of this service"));
  }
  return absl::OkStatus();
}

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
  if (absl::Status valid = ValidatePath(service, violation.path); !valid.ok()) return valid;
  auto confirmed =
      model::Confirm(service, record.start, violation.invariant, std::move(violation.path));
  if (!confirmed.ok()) return confirmed.status();
  return BuildSpaceTime(service, record.start, *confirmed, TitleOf(record));
}

std::string TextOf(const SpaceTime& picture, const CheckRecord& record, const ExplainArgs& args,
                   const Look& look) {
  const CheckArgs again{.service = record.service,
                        .scenario = record.scenario,
                        .bug = record.bug,
                        .engine = record.engine,
                        .plugins = args.plugins};
  return absl::StrCat(picture.title, "\n", ViolationText(picture, CommandLine(again), look));
}

}  // namespace

int RunExplain(const ExplainArgs& args, const Parts& parts, Streams& streams) {
  const std::string format = args.format.empty() ? "text" : args.format;
  if (format != "text" && format != "mermaid" && format != "svg") {
    return Fail(streams, UnknownName("format", format, {"text", "mermaid", "svg"}));
  }
  CheckRecord record;
  const absl::StatusOr<SpaceTime> picture = Rebuild(args, parts, record);
  if (!picture.ok()) {
    const std::string message(picture.status().message());
    const bool named = message.starts_with(args.file);
    return Fail(streams, absl::InvalidArgumentError(
                             named ? message : absl::StrCat(args.file, ": ", message)));
  }
  // A file is read elsewhere, by who knows what: no colours there.
  const Look look = args.output.empty() ? streams.out_look : Look{.utf8 = streams.out_look.utf8};
  const std::string drawing = format == "svg"       ? DrawSvg(*picture)
                              : format == "mermaid" ? DrawMermaid(*picture)
                                                    : TextOf(*picture, record, args, look);
  if (args.output.empty() || args.output == "-") {
    streams.out << drawing << std::flush;
    return kExitNothing;
  }
  const absl::Status written = WriteFileAtomically(args.output, drawing);
  return written.ok() ? static_cast<int>(kExitNothing) : Fail(streams, written);
}

}  // namespace foretell::agent
