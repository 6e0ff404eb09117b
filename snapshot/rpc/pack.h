#pragma once

// Only .cc files of this folder may include this: it brings in the generated header.

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "foretell.capnp.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/snapshot/node/limits.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::snapshot {

// A checkpoint as it travels; see PackedCheckpoint in the schema.
struct PackedCheckpoint {
  enum class Form { kUnchanged, kWhole, kDelta };
  uint64_t number = 0;
  uint64_t hash = 0;
  uint64_t size = 0;  // Before compression.
  Form form = Form::kWhole;
  std::string bytes;  // Compressed; none if unchanged.
};
void Put(const PackedCheckpoint& from, wire::PackedCheckpoint::Builder to);
absl::Status Get(wire::PackedCheckpoint::Reader from, PackedCheckpoint& to);

// The bytes of a Checkpoint message whose number is 0, so that checkpoints that differ in nothing
// else are equal.
struct CheckpointBytes {
  uint64_t hash = 0;
  std::string bytes;
};

// The node's side of one connection: remembers what was sent last, to send only what differs.
class CheckpointPacker {
 public:
  explicit CheckpointPacker(size_t size_max) : size_max_(size_max) {}
  // `have` is what the collector says that it has; 0: nothing. ResourceExhausted if the message is
  // larger than what the collector would take.
  absl::StatusOr<PackedCheckpoint> Pack(const Checkpoint& checkpoint, uint64_t have);

 private:
  const size_t size_max_;
  CheckpointBytes last_;
};

// The collector's side of one node. Thread-safe.
class CheckpointUnpacker {
 public:
  CheckpointUnpacker(model::NodeId node, const RpcLimits& limits) : node_(node), limits_(limits) {}
  // The checkpoint to name in a request; the answer to that has to be unpacked with the same one.
  std::shared_ptr<const CheckpointBytes> last() const;
  // Nothing is believed: ResourceExhausted beyond the size limit, InvalidArgument if hash, size or
  // node are not what was said, with both values.
  absl::StatusOr<std::shared_ptr<const Checkpoint>> Unpack(
      const PackedCheckpoint& packed, const std::shared_ptr<const CheckpointBytes>& last);

 private:
  absl::StatusOr<std::shared_ptr<const CheckpointBytes>> Expand(
      const PackedCheckpoint& packed, const std::shared_ptr<const CheckpointBytes>& last) const;

  const model::NodeId node_;
  const RpcLimits limits_;
  mutable model::Mutex mutex_;
  std::shared_ptr<const CheckpointBytes> last_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<CheckpointBytes>();
};

}  // namespace foretell::snapshot
