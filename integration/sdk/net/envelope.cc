#include "foretell/integration/sdk/net/envelope.h"

#include "absl/strings/str_cat.h"
#include "foretell/model/hash.h"

namespace foretell::integration::sdk {
namespace {

constexpr uint32_t kMagic = 0x4c4c5446;  // "FTLL", read as bytes.
constexpr uint16_t kVersion = 1;
constexpr size_t kChecksumBytes = 8;
// No honest node gets there; beyond it arithmetic on the numbers could overflow.
constexpr uint64_t kNumberMax = uint64_t{1} << 62;

// Little-endian on every machine.
template <class T>
void Put(T value, char*& out) {
  for (size_t i = 0; i < sizeof(T); ++i) *out++ = static_cast<char>(value >> (8 * i));
}

template <class T>
T Get(std::string_view& bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value | static_cast<T>(static_cast<uint8_t>(bytes[i])) << (8 * i));
  }
  bytes.remove_prefix(sizeof(T));
  return value;
}

}  // namespace

uint64_t ClusterId(const std::string& service, const std::string& scenario,
                   const std::string& cluster, uint32_t node_count) {
  const std::string all =
      absl::StrCat(service, std::string(1, '\0'), scenario, std::string(1, '\0'), cluster,
                   std::string(1, '\0'), node_count);
  return model::HashBytes(all);
}

void AppendEnvelope(const Envelope& envelope, uint64_t cluster, std::string& out) {
  const size_t start = out.size();
  char header[kEnvelopeBytes];
  char* end = header;
  Put(kMagic, end);
  Put(kVersion, end);
  Put(static_cast<uint16_t>(envelope.kind), end);
  Put(cluster, end);
  Put(envelope.from.value(), end);
  Put(envelope.to.value(), end);
  Put(envelope.stamp.checkpoint, end);
  Put(envelope.stamp.epoch, end);
  Put(envelope.stamp.seq, end);
  Put(static_cast<uint32_t>(envelope.body.size()), end);
  out.append(header, end).append(envelope.body);
  end = header;
  Put(model::HashBytes(std::string_view(out).substr(start)), end);
  out.append(header, end);
}

EnvelopeError ParseEnvelope(std::string_view bytes, const Membership& membership,
                            Envelope& envelope) {
  if (bytes.size() < kEnvelopeBytes) return EnvelopeError::kGarbage;
  const std::string_view covered = bytes.substr(0, bytes.size() - kChecksumBytes);
  std::string_view checksum = bytes.substr(covered.size());
  std::string_view rest = covered;
  if (Get<uint32_t>(rest) != kMagic) return EnvelopeError::kGarbage;
  // Another version may have its checksum elsewhere.
  if (Get<uint16_t>(rest) != kVersion) return EnvelopeError::kVersion;
  if (Get<uint64_t>(checksum) != model::HashBytes(covered)) {
    return EnvelopeError::kGarbage;
  }
  const auto kind = Get<uint16_t>(rest);
  if (kind > static_cast<uint16_t>(EnvelopeKind::kAcknowledgement)) return EnvelopeError::kGarbage;
  envelope.kind = static_cast<EnvelopeKind>(kind);
  if (Get<uint64_t>(rest) != membership.cluster) return EnvelopeError::kCluster;
  envelope.from = model::NodeId(Get<uint32_t>(rest));
  envelope.to = model::NodeId(Get<uint32_t>(rest));
  envelope.stamp.checkpoint = Get<uint64_t>(rest);
  envelope.stamp.epoch = Get<uint64_t>(rest);
  envelope.stamp.seq = Get<uint64_t>(rest);
  const bool sized = Get<uint32_t>(rest) == rest.size();
  envelope.body = rest;
  if (!sized || envelope.stamp.checkpoint > kNumberMax || envelope.stamp.seq > kNumberMax) {
    return EnvelopeError::kGarbage;
  }
  if (envelope.from.value() >= membership.node_count || envelope.from == membership.self) {
    return EnvelopeError::kSender;
  }
  return envelope.to == membership.self ? EnvelopeError::kNone : EnvelopeError::kReceiver;
}

}  // namespace foretell::integration::sdk
