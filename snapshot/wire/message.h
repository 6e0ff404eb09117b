#pragma once

// Values as standard Cap'n Proto messages in a string. Only .cc files of this folder may include
// this; see convert.h.

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {

// The largest message that we unpack. Cap'n Proto has the same limit for one blob.
inline constexpr size_t kMessageMax = size_t{512} << 20;

void Put(const Origin& from, wire::Origin::Builder to);
absl::Status Get(wire::Origin::Reader from, Origin& to);
void Put(const RecordedSnapshot& from, wire::Snapshot::Builder to);
absl::Status Get(wire::Snapshot::Reader from, RecordedSnapshot& to);

// `build` fills the root of a fresh message; the message as `capnp decode` reads it.
// ResourceExhausted if it gets too large.
absl::StatusOr<std::string> BuildMessage(
    const std::function<void(capnp::AnyPointer::Builder)>& build);
// `bytes` may come from anywhere.
absl::Status ReadMessage(const std::string& bytes,
                         const std::function<absl::Status(capnp::AnyPointer::Reader)>& read);

template <class Wire, class T>
absl::StatusOr<std::string> ToMessage(const T& from) {
  return BuildMessage(
      [&](capnp::AnyPointer::Builder root) { Put(from, root.template initAs<Wire>()); });
}

template <class Wire, class T>
absl::Status FromMessage(const std::string& bytes, T& to) {
  return ReadMessage(
      bytes, [&](capnp::AnyPointer::Reader root) { return Get(root.template getAs<Wire>(), to); });
}

}  // namespace foretell::snapshot
