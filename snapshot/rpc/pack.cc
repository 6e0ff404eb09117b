#include "foretell/snapshot/rpc/pack.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/wire/convert.h"

namespace foretell::snapshot {
namespace {

using Form = PackedCheckpoint::Form;

capnp::Data::Reader Bytes(const std::string& bytes) {
  return {reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size()};
}

CheckpointBytes Serialise(const Checkpoint& checkpoint) {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<wire::Checkpoint>();
  Put(checkpoint, root);
  root.setNumber(0);
  const auto words = capnp::messageToFlatArray(message);
  const auto bytes = words.asChars();
  CheckpointBytes result;
  result.bytes.assign(bytes.begin(), bytes.size());
  result.hash = model::HashBytes(result.bytes);
  return result;
}

absl::Status Parse(const std::string& bytes, const RpcLimits& limits, Checkpoint& to) {
  // The reader wants whole, aligned words.
  const size_t count = bytes.size() / sizeof(capnp::word);
  auto words = kj::heapArray<capnp::word>(count);
  memcpy(words.begin(), bytes.data(), count * sizeof(capnp::word));
  capnp::ReaderOptions options;
  // Everything is read once; twice is generous, and stops pointers that all lead to the same part.
  options.traversalLimitInWords = 2 * count + 64;
  options.nestingLimit = static_cast<int>(limits.nesting_max);
  return GuardRead([&] {
    capnp::FlatArrayMessageReader reader(words, options);
    return Get(reader.getRoot<wire::Checkpoint>(), to);
  });
}

absl::Status TooLarge(model::NodeId node, uint64_t size, size_t size_max) {
  return absl::ResourceExhaustedError(
      absl::StrCat("checkpoint of node ", node.value(), ": ", size, " bytes, limit ", size_max));
}

absl::Status Differs(const char* what, model::NodeId node, uint64_t is, uint64_t said) {
  return absl::InvalidArgumentError(absl::StrCat("checkpoint of node ", node.value(), ": ", what,
                                                 " ", is, ", but ", said, " was announced"));
}

}  // namespace

void Put(const PackedCheckpoint& from, wire::PackedCheckpoint::Builder to) {
  to.setNumber(from.number);
  to.setHash(from.hash);
  to.setSize(from.size);
  switch (from.form) {
    case Form::kUnchanged: to.setUnchanged(); break;
    case Form::kWhole: to.setZstd(Bytes(from.bytes)); break;
    case Form::kDelta: to.setZstdDelta(Bytes(from.bytes)); break;
  }
}

absl::Status Get(wire::PackedCheckpoint::Reader from, PackedCheckpoint& to) {
  return GuardRead([&] {
    to.number = from.getNumber();
    to.hash = from.getHash();
    to.size = from.getSize();
    capnp::Data::Reader bytes;
    switch (from.which()) {
      case wire::PackedCheckpoint::UNCHANGED: to.form = Form::kUnchanged; break;
      case wire::PackedCheckpoint::ZSTD:
        to.form = Form::kWhole;
        bytes = from.getZstd();
        break;
      case wire::PackedCheckpoint::ZSTD_DELTA:
        to.form = Form::kDelta;
        bytes = from.getZstdDelta();
        break;
      default:
        return absl::InvalidArgumentError(
            absl::StrCat("unknown form ", static_cast<uint16_t>(from.which()), " of a checkpoint"));
    }
    to.bytes.assign(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
    return absl::OkStatus();
  });
}

absl::StatusOr<PackedCheckpoint> CheckpointPacker::Pack(const Checkpoint& checkpoint,
                                                        uint64_t have) {
  CheckpointBytes now = Serialise(checkpoint);
  // What cannot be compressed grows a little, and the reply has an envelope.
  const size_t reply_max = now.bytes.size() + now.bytes.size() / 128 + 2048;
  if (reply_max > size_max_) {
    return TooLarge(checkpoint.node, now.bytes.size(), size_max_);
  }
  PackedCheckpoint packed{checkpoint.number, now.hash, now.bytes.size()};
  if (have != 0 && have == now.hash) {
    packed.form = Form::kUnchanged;
  } else if (have != 0 && have == last_.hash) {
    packed.form = Form::kDelta;
    packed.bytes = CompressDelta(now.bytes, last_.bytes);
  } else {
    packed.form = Form::kWhole;
    packed.bytes = Compress(now.bytes);
  }
  last_ = std::move(now);
  return packed;
}

std::shared_ptr<const CheckpointBytes> CheckpointUnpacker::last() const {
  const model::MutexLock lock(mutex_);
  return last_;
}

absl::StatusOr<std::shared_ptr<const CheckpointBytes>> CheckpointUnpacker::Expand(
    const PackedCheckpoint& packed, const std::shared_ptr<const CheckpointBytes>& last) const {
  const size_t size_max = limits_.message_bytes_max;
  if (packed.form == Form::kUnchanged) {
    if (packed.hash != last->hash || last->bytes.empty()) {
      return Differs("unchanged, we have hash", node_, last->hash, packed.hash);
    }
    return last;
  }
  if (packed.size > size_max) return TooLarge(node_, packed.size, size_max);
  absl::StatusOr<std::string> bytes = packed.form == Form::kDelta
                                          ? DecompressDelta(packed.bytes, last->bytes, size_max)
                                          : Decompress(packed.bytes, size_max);
  if (!bytes.ok()) return bytes.status();
  if (bytes->size() != packed.size) return Differs("size", node_, bytes->size(), packed.size);
  const uint64_t hash = model::HashBytes(*bytes);
  if (hash != packed.hash) return Differs("hash", node_, hash, packed.hash);
  return std::make_shared<const CheckpointBytes>(CheckpointBytes{hash, std::move(*bytes)});
}

absl::StatusOr<std::shared_ptr<const Checkpoint>> CheckpointUnpacker::Unpack(
    const PackedCheckpoint& packed, const std::shared_ptr<const CheckpointBytes>& last) {
  auto bytes = Expand(packed, last);
  if (!bytes.ok()) return bytes.status();
  auto checkpoint = std::make_shared<Checkpoint>();
  const absl::Status status = Parse((*bytes)->bytes, limits_, *checkpoint);
  if (!status.ok()) return status;
  if (checkpoint->node != node_) {
    return Differs("from node", node_, checkpoint->node.value(), node_.value());
  }
  checkpoint->number = packed.number;
  const model::MutexLock lock(mutex_);
  last_ = std::move(*bytes);
  return checkpoint;
}

}  // namespace foretell::snapshot
