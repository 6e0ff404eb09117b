// Checkpoints as nodes send them: compressed, or as what differs from the last one.

#include "foretell/model/hash.h"
#include "foretell/snapshot/rpc/pack.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/tests/fuzz/samples.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using snapshot::PackedCheckpoint;

constexpr uint32_t kNode = 1;
constexpr snapshot::RpcLimits kLimits{.message_bytes_max = 1 << 20};

// Bits of the first byte.
constexpr uint8_t kDelta = 1;
constexpr uint8_t kAsSent = 2;  // The rest is what travels; else the message, properly packed.

PackedCheckpoint Packed(uint8_t mode, const std::string& rest, const std::string& last) {
  PackedCheckpoint packed{.number = 8};
  const bool delta = (mode & kDelta) != 0;
  packed.form = delta ? PackedCheckpoint::Form::kDelta : PackedCheckpoint::Form::kWhole;
  const bool as_sent = (mode & kAsSent) != 0;
  packed.bytes = as_sent ? rest
                 : delta ? snapshot::CompressDelta(rest, last)
                         : snapshot::Compress(rest);
  // Checksums that fit by themselves nobody would ever find.
  const auto unpacked =
      !as_sent ? rest
      : delta  ? snapshot::DecompressDelta(rest, last, kLimits.message_bytes_max).value_or("")
               : snapshot::Decompress(rest, kLimits.message_bytes_max).value_or("");
  packed.size = unpacked.size();
  packed.hash = model::HashBytes(unpacked);
  return packed;
}

PackedCheckpoint Whole() {
  return *snapshot::CheckpointPacker(1 << 20).Pack(SampleCheckpoint(kNode), 0);
}

std::string MessageOf(const PackedCheckpoint& packed) {
  return *snapshot::Decompress(packed.bytes, kLimits.message_bytes_max);
}

}  // namespace

void RunCheckpoint(const std::string& bytes) {
  Input input(bytes);
  const uint8_t mode = input.Byte();
  snapshot::CheckpointUnpacker unpacker(model::NodeId(kNode), kLimits);
  static_cast<void>(unpacker.Unpack(Whole(), unpacker.last()));
  const auto last = unpacker.last();
  static_cast<void>(unpacker.Unpack(Packed(mode, input.Rest(), last->bytes), last));
}

std::vector<std::string> CheckpointSeeds() {
  const PackedCheckpoint whole = Whole();
  const std::string message = MessageOf(whole);
  return {std::string(1, '\0') + message, static_cast<char>(kDelta) + message,
          static_cast<char>(kAsSent) + whole.bytes,
          static_cast<char>(kAsSent | kDelta) + snapshot::CompressDelta(message, message)};
}

}  // namespace foretell::fuzz
