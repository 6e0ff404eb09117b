#pragma once

// Values as standard Cap'n Proto messages in a string. Only .cc files of this folder may include
// this; see convert.h.

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstring>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "snapshot/convert.h"
#include "snapshot/recorded.h"

namespace foretell::snapshot {

// What we unpack at most. Cap'n Proto has the same limit for one blob.
inline constexpr size_t kMessageMax = size_t{512} << 20;

void Put(const Origin& from, wire::Origin::Builder to);
absl::Status Get(wire::Origin::Reader from, Origin& to);
void Put(const RecordedSnapshot& from, wire::Snapshot::Builder to);
absl::Status Get(wire::Snapshot::Reader from, RecordedSnapshot& to);

// As `capnp decode` reads it. ResourceExhausted if `from` is too large for a message.
template <class Wire, class T>
absl::StatusOr<std::string> ToMessage(const T& from) {
  std::string bytes;
  absl::Status status = GuardRead([&] {
    capnp::MallocMessageBuilder message;
    Put(from, message.initRoot<Wire>());
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

// `bytes` may come from anywhere.
template <class Wire, class T>
absl::Status FromMessage(const std::string& bytes, T& to) {
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
    return Get(reader.getRoot<Wire>(), to);
  });
}

}  // namespace foretell::snapshot
