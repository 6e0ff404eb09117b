#include "foretell/snapshot/wire/message.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstring>

#include "absl/strings/str_cat.h"

namespace foretell::snapshot {

void Put(const Origin& from, wire::Origin::Builder to) {
  to.setService(from.service.c_str());
  to.setScenario(from.scenario.c_str());
  to.setBug(from.bug.c_str());
  to.setVersion(from.version.c_str());
  to.setForetell(from.foretell.c_str());
}

absl::Status Get(wire::Origin::Reader from, Origin& to) {
  return GuardRead([&] {
    to.service = from.getService().cStr();
    to.scenario = from.getScenario().cStr();
    to.bug = from.getBug().cStr();
    to.version = from.getVersion().cStr();
    to.foretell = from.getForetell().cStr();
    return absl::OkStatus();
  });
}

void Put(const RecordedSnapshot& from, wire::Snapshot::Builder to) {
  const Snapshot& snapshot = from.snapshot;
  to.setNumber(snapshot.number);
  to.setTakenUnixNanos(from.taken.time_since_epoch().count());
  Put(from.origin, to.initOrigin());
  Put(snapshot.cut, to.initCut());
  auto absent = to.initAbsent(static_cast<unsigned>(snapshot.absent.size()));
  auto reasons = to.initAbsentReasons(absent.size());
  for (unsigned i = 0; i < absent.size(); ++i) {
    absent.set(i, snapshot.absent[i].node.value());
    reasons.set(i, snapshot.absent[i].reason.c_str());
  }
  to.setExact(snapshot.exact);
  auto notes = to.initNotes(static_cast<unsigned>(snapshot.notes.size()));
  for (unsigned i = 0; i < notes.size(); ++i) notes.set(i, snapshot.notes[i].c_str());
}

absl::Status Get(wire::Snapshot::Reader from, RecordedSnapshot& to) {
  return GuardRead([&] {
    Snapshot& snapshot = to.snapshot;
    snapshot.number = from.getNumber();
    to.taken = UnixTime(std::chrono::nanoseconds(from.getTakenUnixNanos()));
    snapshot.exact = from.getExact();
    snapshot.notes.clear();
    for (const auto note : from.getNotes()) snapshot.notes.emplace_back(note.cStr());
    absl::Status status = Get(from.getOrigin(), to.origin);
    if (status.ok()) status = Get(from.getCut(), snapshot.cut);
    snapshot.absent.clear();
    for (const uint32_t node : from.getAbsent()) {
      if (!status.ok()) return status;
      status = GetNode(node, "absent node", snapshot.absent.emplace_back().node);
    }
    const auto reasons = from.getAbsentReasons();
    for (unsigned i = 0; i < reasons.size() && i < snapshot.absent.size(); ++i) {
      snapshot.absent[i].reason = reasons[i].cStr();
    }
    return status;
  });
}

absl::StatusOr<std::string> BuildMessage(
    const std::function<void(capnp::AnyPointer::Builder)>& build) {
  std::string bytes;
  const absl::Status status = GuardRead([&] {
    capnp::MallocMessageBuilder message;
    build(message.getRoot<capnp::AnyPointer>());
    const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    const auto view = words.asBytes();
    bytes.assign(reinterpret_cast<const char*>(view.begin()), view.size());
    return absl::OkStatus();
  });
  if (status.ok() && bytes.size() <= kMessageMax) return bytes;
  return absl::ResourceExhaustedError(absl::StrCat("too large for a record: ", bytes.size(),
                                                   " bytes, at most ", kMessageMax, "; ",
                                                   std::string(status.message())));
}

absl::Status ReadMessage(const std::string& bytes,
                         const std::function<absl::Status(capnp::AnyPointer::Reader)>& read) {
  return GuardRead([&]() -> absl::Status {
    const size_t size = bytes.size() / sizeof(capnp::word);
    auto words = kj::heapArray<capnp::word>(size);
    std::memcpy(words.begin(), bytes.data(), size * sizeof(capnp::word));
    // Every part of a message that we wrote is reached once, lists a few times; a message in which
    // many pointers lead to one place could otherwise keep us busy for ever.
    capnp::ReaderOptions limits;
    limits.traversalLimitInWords = 4 * size + 1024;
    limits.nestingLimit = 32;
    capnp::FlatArrayMessageReader reader(words, limits);
    return read(reader.getRoot<capnp::AnyPointer>());
  });
}

}  // namespace foretell::snapshot
