#include "foretell/agent/recorded/snapshot_listing.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/console/wall_time.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using snapshot::ArchiveEntry;
using snapshot::Loss;

std::string Plural(uint64_t count, const std::string& thing) {
  return absl::StrCat(FormatCount(count), " ", thing, count == 1 ? "" : "s");
}

std::string MissingText(const ArchiveEntry& entry) {
  if (entry.exact) return "exact";
  return absl::StrCat("not exact: ", entry.notes.empty() ? "" : absl::StrJoin(entry.notes, "; "));
}

Table::Row RowOf(const ArchiveEntry& entry, const TerminalStyle& style) {
  const uint64_t absent = std::min<uint64_t>(entry.absent.size(), entry.nodes);
  return {FormatTime(entry.taken),
          absl::StrCat(entry.number),
          absl::StrCat(entry.nodes - absent, "/", entry.nodes),
          absl::StrCat(entry.in_flight),
          FormatCount(entry.bytes),
          Printable(MissingText(entry), style.utf8)};
}

std::string TableText(const std::vector<ArchiveEntry>& entries, const TerminalStyle& style) {
  constexpr auto kLeft = Table::Align::kLeft;
  constexpr auto kRight = Table::Align::kRight;
  Table table({.columns = {{kLeft, 24}, {kRight, 8}, {kRight}, {kRight}, {kRight, 10}, {kLeft}}});
  table.Add({"TAKEN", "NUMBER", "NODES", "IN FLIGHT", "BYTES"});
  for (const ArchiveEntry& entry : entries) table.Add(RowOf(entry, style));
  const std::vector<std::string> lines = table.Lines(style);
  std::string out = absl::StrCat(Coloured(lines[0], Colour::kHead, style), "\n");
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string line = Shorten(lines[i + 1], std::max<size_t>(style.columns, 80), style.utf8);
    absl::StrAppend(&out, Coloured(line, entries[i].exact ? Colour::kPlain : Colour::kMark, style),
                    "\n");
  }
  return out;
}

std::string Summary(const SnapshotListing& listing) {
  std::set<std::string> systems;
  uint64_t bytes = 0;
  uint64_t partial = 0;
  for (const ArchiveEntry& entry : listing.entries) {
    systems.insert(absl::StrCat(entry.origin.service, " ", entry.origin.scenario,
                                entry.origin.bug.empty() ? "" : ", bug ", entry.origin.bug,
                                ", version ", entry.origin.version));
    bytes += entry.bytes;
    partial += entry.absent.empty() ? 0 : 1;
  }
  if (listing.entries.empty()) {
    return absl::StrCat("none of ", Plural(listing.total, "snapshot"), " was asked for");
  }
  const auto by_time = [](const ArchiveEntry& a, const ArchiveEntry& b) {
    return a.taken < b.taken;
  };
  const auto [first, last] =
      std::minmax_element(listing.entries.begin(), listing.entries.end(), by_time);
  const size_t shown = listing.entries.size();
  return absl::StrCat(
      Plural(shown, "snapshot"),
      shown == listing.total ? "" : absl::StrCat(" (of ", FormatCount(listing.total), ")"), " of ",
      absl::StrJoin(systems, "; "), "; ", FormatBytes(bytes), "; from ", FormatTime(first->taken),
      " to ", FormatTime(last->taken), "; ",
      partial == 0 ? "no node absent in any"
                   : absl::StrCat(FormatCount(partial), " with absent nodes"));
}

Json EntryJson(const ArchiveEntry& entry) {
  Json json;
  json["number"] = entry.number;
  json["taken"] = FormatTime(entry.taken);
  json["taken_unix_nanos"] = entry.taken.time_since_epoch().count();
  json["service"] = entry.origin.service;
  json["scenario"] = entry.origin.scenario;
  json["bug"] = entry.origin.bug.empty() ? Json(nullptr) : Json(entry.origin.bug);
  json["version"] = entry.origin.version;
  json["foretell"] = entry.origin.foretell;
  json["nodes"] = entry.nodes;
  json["absent"] = Json::array();
  for (const model::NodeId node : entry.absent) json["absent"].push_back(node.value());
  json["in_flight"] = entry.in_flight;
  json["exact"] = entry.exact;
  json["notes"] = entry.notes;
  json["cut_hash"] = absl::StrFormat("%016x", entry.cut_hash);
  json["offset"] = entry.offset;
  json["bytes"] = entry.bytes;
  json["message_bytes"] = entry.size;
  return json;
}

}  // namespace

std::string LossText(const Loss& loss) {
  return absl::StrCat(
      Plural(loss.bytes, "byte"), " from byte ", FormatCount(loss.offset), ": ", loss.why,
      loss.tail ? " (the tail: being written now, or left by a crash; the next writer cuts it off)"
                : " (stepped over)");
}

std::string ListingText(const SnapshotListing& listing, const TerminalStyle& style) {
  std::string out = listing.entries.empty() ? "" : TableText(listing.entries, style);
  absl::StrAppend(&out, Printable(Summary(listing), style.utf8), "\n");
  for (const Loss& loss : listing.lost) {
    const std::string text = absl::StrCat("lost: ", LossText(loss));
    absl::StrAppend(&out, Coloured(Printable(text, style.utf8), Colour::kBad, style), "\n");
  }
  return out;
}

std::string ListingJson(const SnapshotListing& listing) {
  Json json;
  json["file"] = listing.file;
  json["total"] = listing.total;
  json["snapshots"] = Json::array();
  for (const ArchiveEntry& entry : listing.entries) json["snapshots"].push_back(EntryJson(entry));
  json["lost"] = Json::array();
  for (const Loss& loss : listing.lost) {
    json["lost"].push_back(
        {{"offset", loss.offset}, {"bytes", loss.bytes}, {"why", loss.why}, {"tail", loss.tail}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foretell::agent
