#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/archive/contents.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/file.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/wire/message.h"

namespace foretell::snapshot {
namespace {

struct Index {
  File::Shape shape;
  ArchiveContents contents;
};

void PutSummary(const ArchiveEntry& from, wire::Summary::Builder to) {
  Put(from.origin, to.initOrigin());
  to.setSize(from.size);
  to.setNodes(from.nodes);
  auto absent = to.initAbsent(static_cast<unsigned>(from.absent.size()));
  for (unsigned i = 0; i < absent.size(); ++i) absent.set(i, from.absent[i].value());
  to.setInFlight(from.in_flight);
  to.setExact(from.exact);
  auto notes = to.initNotes(static_cast<unsigned>(from.notes.size()));
  for (unsigned i = 0; i < notes.size(); ++i) notes.set(i, from.notes[i].c_str());
}

absl::Status GetSummary(wire::Summary::Reader from, ArchiveEntry& to) {
  to.size = from.getSize();
  to.nodes = from.getNodes();
  to.in_flight = from.getInFlight();
  to.exact = from.getExact();
  for (const auto note : from.getNotes()) to.notes.emplace_back(note.cStr());
  absl::Status status = Get(from.getOrigin(), to.origin);
  for (const uint32_t node : from.getAbsent()) {
    if (!status.ok()) return status;
    status = GetNode(node, "absent node", to.absent.emplace_back());
  }
  return status;
}

// An entry as far as a record tells about itself.
struct About {
  ArchiveEntry& entry;
};

void Put(const About& from, wire::Summary::Builder to) { PutSummary(from.entry, to); }

absl::Status Get(wire::Summary::Reader from, About& to) { return GetSummary(from, to.entry); }

void Put(const Index& from, wire::ArchiveIndex::Builder to) {
  to.setSize(from.shape.size);
  to.setChangedUnixNanos(from.shape.changed.time_since_epoch().count());
  auto entries = to.initEntries(static_cast<unsigned>(from.contents.entries.size()));
  for (unsigned i = 0; i < entries.size(); ++i) {
    const ArchiveEntry& entry = from.contents.entries[i];
    entries[i].setOffset(entry.offset);
    entries[i].setBytes(entry.bytes);
    entries[i].setNumber(entry.number);
    entries[i].setTakenUnixNanos(entry.taken.time_since_epoch().count());
    entries[i].setCutHash(entry.cut_hash);
    PutSummary(entry, entries[i].initSummary());
  }
  auto lost = to.initLost(static_cast<unsigned>(from.contents.lost.size()));
  for (unsigned i = 0; i < lost.size(); ++i) {
    const Loss& loss = from.contents.lost[i];
    lost[i].setOffset(loss.offset);
    lost[i].setBytes(loss.bytes);
    lost[i].setWhy(loss.why.c_str());
    lost[i].setTail(loss.tail);
  }
}

absl::Status Get(wire::ArchiveIndex::Reader from, Index& to) {
  to.shape.size = from.getSize();
  to.shape.changed = UnixTime(std::chrono::nanoseconds(from.getChangedUnixNanos()));
  for (const auto entry : from.getEntries()) {
    ArchiveEntry& out = to.contents.entries.emplace_back();
    out.offset = entry.getOffset();
    out.bytes = entry.getBytes();
    out.number = entry.getNumber();
    out.taken = UnixTime(std::chrono::nanoseconds(entry.getTakenUnixNanos()));
    out.cut_hash = entry.getCutHash();
    absl::Status status = GetSummary(entry.getSummary(), out);
    if (!status.ok()) return status;
  }
  for (const auto loss : from.getLost()) {
    to.contents.lost.push_back(
        {loss.getOffset(), loss.getBytes(), loss.getWhy().cStr(), loss.getTail()});
  }
  return absl::OkStatus();
}

std::string IndexPath(const std::string& archive) { return archive + ".idx"; }

}  // namespace

absl::StatusOr<std::string> SummaryOf(const RecordedSnapshot& recorded, uint64_t message_bytes) {
  ArchiveEntry entry;
  entry.origin = recorded.origin;
  entry.size = message_bytes;
  entry.nodes = static_cast<uint32_t>(recorded.snapshot.cut.nodes.size());
  for (const Absent& absent : recorded.snapshot.absent) entry.absent.push_back(absent.node);
  entry.in_flight = recorded.snapshot.cut.in_flight.size();
  entry.exact = recorded.snapshot.exact;
  entry.notes = recorded.snapshot.notes;
  return ToMessage<wire::Summary>(About{entry});
}

absl::Status ReadSummary(const std::string& message, ArchiveEntry& entry) {
  About about{entry};
  return FromMessage<wire::Summary>(message, about);
}

std::optional<ArchiveContents> LoadIndex(FileSystem& files, const std::string& archive,
                                         const File::Shape& shape) {
  const auto frame = ReadFrameFile(IndexPath(archive), FrameKind::kIndex, files);
  if (!frame.ok()) return std::nullopt;
  const auto message = Decompress(frame->payload, kMessageMax);
  Index index;
  if (!message.ok() || !FromMessage<wire::ArchiveIndex>(*message, index).ok()) return std::nullopt;
  if (index.shape.size != shape.size || index.shape.changed != shape.changed) return std::nullopt;
  return std::move(index.contents);
}

absl::Status StoreIndex(FileSystem& files, const std::string& archive, const File::Shape& shape,
                        const ArchiveContents& contents) {
  const auto message = ToMessage<wire::ArchiveIndex>(Index{shape, contents});
  if (!message.ok()) return message.status();
  return ReplaceFile(files, IndexPath(archive),
                     MakeFrame({.kind = FrameKind::kIndex}, "", Compress(*message)));
}

}  // namespace foretell::snapshot
