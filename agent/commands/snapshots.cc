#include "foretell/agent/commands/snapshots.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/recorded/recorded_start.h"
#include "foretell/agent/recorded/snapshot_listing.h"

namespace foretell::agent {
namespace {

using snapshot::ArchiveEntry;
using snapshot::ArchiveReader;
using snapshot::UnixTime;

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

absl::Status Extract(const SnapshotsArgs& args, const ArchiveReader& archive, Streams& streams) {
  const auto number = ParseCount(args.extract, 0);
  if (!number.ok()) return Prefixed("--extract", number.status());
  const auto entry = FindNumber(archive, args.file, *number);
  if (!entry.ok()) return entry.status();
  const auto message = archive.LoadMessage(*entry);
  if (!message.ok()) return message.status();
  if (args.output != "-") return WriteFileAtomically(args.output, *message);
  streams.out << *message << std::flush;
  return absl::OkStatus();
}

absl::Status List(const SnapshotsArgs& args, const ArchiveReader& archive, Streams& streams) {
  const auto wanted = ReadWanted(args);
  if (!wanted.ok()) return wanted.status();
  SnapshotListing listing{args.file, {}, archive.entries().size(), archive.lost()};
  for (const ArchiveEntry& entry : archive.entries()) {
    if (Matches(entry, *wanted, args)) listing.entries.push_back(entry);
  }
  const bool json_out = args.json == "-";
  if (json_out) streams.out << ListingJson(listing) << std::flush;
  if (!json_out && !args.json.empty()) {
    const absl::Status written = WriteFileAtomically(args.json, ListingJson(listing));
    if (!written.ok()) return written;
  }
  const Look& look = json_out ? streams.err_look : streams.out_look;
  (json_out ? streams.err : streams.out) << ListingText(listing, look) << std::flush;
  return absl::OkStatus();
}

}  // namespace

int RunSnapshots(const SnapshotsArgs& args, Streams& streams) {
  if (args.extract.empty() != args.output.empty()) {
    return Fail(streams, absl::InvalidArgumentError("--extract and --output go together"));
  }
  const auto archive = ArchiveReader::Open(args.file);
  if (!archive.ok()) return Fail(streams, archive.status());
  const absl::Status done =
      args.extract.empty() ? List(args, **archive, streams) : Extract(args, **archive, streams);
  return done.ok() ? static_cast<int>(kExitNothing) : Fail(streams, done);
}

}  // namespace foretell::agent
