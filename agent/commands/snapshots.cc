#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"

namespace foretell::agent {
namespace {

// `foretell snapshots`, as the user typed it; empty means not given.
struct SnapshotsArgs {
  std::string file;
  std::string since;  // UTC; see wall_time.h.
  std::string until;
  std::string number;
  std::string service;
  bool absent = false;  // Only those with absent nodes.
  std::string json;     // A file, or "-" for `console.out`.
  std::string extract;  // A number.
  std::string output;   // Where the extracted message goes; "-" for `console.out`.
};

using snapshot::ArchiveEntry;
using snapshot::ArchiveReader;

// Which records to show.
struct Wanted {
  UnixTime since = UnixTime::min();
  UnixTime until = UnixTime::max();
  std::optional<uint64_t> number;
};

absl::Status Prefixed(const char* option, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(option, ": ", std::string(status.message())));
}

absl::StatusOr<Wanted> ReadWanted(const SnapshotsArgs& args) {
  Wanted wanted;
  if (!args.since.empty()) {
    const auto since = ParseWallTime(args.since);
    if (!since.ok()) return Prefixed("--since", since.status());
    wanted.since = *since;
  }
  if (!args.until.empty()) {
    const auto until = ParseWallTime(args.until);
    if (!until.ok()) return Prefixed("--until", until.status());
    wanted.until = *until;
  }
  if (!args.number.empty()) {
    const auto number = ParseCount(args.number, 0);
    if (!number.ok()) return Prefixed("--number", number.status());
    wanted.number = *number;
  }
  return wanted;
}

bool Matches(const ArchiveEntry& entry, const Wanted& wanted, const SnapshotsArgs& args) {
  return entry.taken >= wanted.since && entry.taken <= wanted.until &&
         (!wanted.number || entry.number == *wanted.number) &&
         (args.service.empty() || entry.origin.service == args.service) &&
         (!args.absent || !entry.absent.empty());
}

absl::Status Extract(const SnapshotsArgs& args, const ArchiveReader& archive, Console& console) {
  const auto number = ParseCount(args.extract, 0);
  if (!number.ok()) return Prefixed("--extract", number.status());
  const auto entry = FindNumber(archive, args.file, *number);
  if (!entry.ok()) return entry.status();
  const auto message = archive.LoadMessage(*entry);
  if (!message.ok()) return message.status();
  if (args.output != "-") return WriteFileAtomically(args.output, *message);
  console.out << *message << std::flush;
  return absl::OkStatus();
}

absl::Status List(const SnapshotsArgs& args, const ArchiveReader& archive, Console& console) {
  const auto wanted = ReadWanted(args);
  if (!wanted.ok()) return wanted.status();
  SnapshotListing listing{args.file, {}, archive.entries().size(), archive.lost()};
  for (const ArchiveEntry& entry : archive.entries()) {
    if (Matches(entry, *wanted, args)) listing.entries.push_back(entry);
  }
  const bool json_out = args.json == "-";
  if (json_out) console.out << ListingJson(listing) << std::flush;
  if (!json_out && !args.json.empty()) {
    const absl::Status written = WriteFileAtomically(args.json, ListingJson(listing));
    if (!written.ok()) return written;
  }
  const TerminalStyle& style = json_out ? console.err_style : console.out_style;
  (json_out ? console.err : console.out) << ListingText(listing, style) << std::flush;
  return absl::OkStatus();
}

// Lists an archive, or takes one message out of it. Returns an ExitCode.
int RunSnapshots(const SnapshotsArgs& args, Console& console) {
  if (args.extract.empty() != args.output.empty()) {
    return Fail(console, absl::InvalidArgumentError("--extract and --output go together"));
  }
  const auto archive = ArchiveReader::Open(args.file);
  if (!archive.ok()) return Fail(console, archive.status());
  const absl::Status done =
      args.extract.empty() ? List(args, **archive, console) : Extract(args, **archive, console);
  return done.ok() ? static_cast<int>(kExitNothing) : Fail(console, done);
}

}  // namespace

Command AddSnapshots(CLI::App& root, const Parts&) {
  CLI::App* const app =
      root.add_subcommand("snapshots", "List the cuts of an archive, or take one out");
  app->footer(
      "TIME is UTC: 2026-11-16, 2026-11-16T05:26:17Z or @1700000000. Older files of an archive\n"
      "have a number: archive.1.ftl, archive.2.ftl. What --extract writes is a plain message:\n"
      "  capnp decode snapshot/wire/foretell.capnp Snapshot < cut.bin\n\n"
      "Example:\n"
      "  foretell snapshots archive.ftl --since 2026-11-16T05:00 --absent\n"
      "  foretell snapshots archive.ftl --extract 17 --output cut.bin");
  auto args = std::make_shared<SnapshotsArgs>();
  app->add_option("FILE", args->file, "An archive that `foretell agent` wrote")
      ->required()
      ->type_name("");
  app->add_option("--since", args->since, "Only those taken then or later")->type_name("TIME");
  app->add_option("--until", args->until, "Only those taken then or before")->type_name("TIME");
  app->add_option("--number", args->number, "Only those with this number")->type_name("N");
  app->add_option("--service", args->service, "Only those of this service")->type_name("NAME");
  app->add_flag("--absent", args->absent, "Only those in which a node is absent");
  app->add_option("--json", args->json, "Write the list as JSON to FILE, - for standard output")
      ->type_name("FILE");
  app->add_option("--extract", args->extract, "Take out the snapshot with this number")
      ->type_name("N");
  app->add_option("--output", args->output, "Where it goes; - for standard output")
      ->type_name("FILE");
  return {app, std::make_shared<std::vector<std::string>>(),
          [args](const Parts&, Console& console) { return RunSnapshots(*args, console); }};
}

}  // namespace foretell::agent
