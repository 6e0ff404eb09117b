#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "foretell/model/id.h"
#include "foretell/snapshot/protocol/checkpoint.h"

namespace foretell::integration::sdk {

enum class EnvelopeKind : uint8_t {
  kMessage,
  kAnnouncement,     // Of an epoch; see snapshot::Checkpointer::Announce. No body.
  kAcknowledgement,  // Streams: of what was received. No body.
};

// A message as it travels between live nodes.
struct Envelope {
  EnvelopeKind kind = EnvelopeKind::kMessage;
  model::NodeId from{0};
  model::NodeId to{0};
  snapshot::Stamp stamp;
  std::string_view body;
};

// The cluster of a node, whose members alone may talk to each other, and its place in it.
struct Membership {
  uint64_t cluster = 0;  // ClusterId of all nodes of one cluster.
  uint32_t node_count = 0;
  model::NodeId self{0};
};

// Ports are reused: messages of another service, or of another cluster of the same one, are told
// apart by this number.
uint64_t ClusterId(const std::string& service, const std::string& scenario,
                   const std::string& cluster, uint32_t node_count);

enum class EnvelopeError : uint8_t {
  kNone,
  kGarbage,  // Not an envelope, or one that was damaged.
  kVersion,  // Of another version of the format.
  kCluster,
  kSender,    // Not a node of the cluster, or this one itself.
  kReceiver,  // For another node.
};

inline constexpr size_t kEnvelopeBytes = 60;  // Without the body.

// Appends the encoding of `envelope` to `out`.
void AppendEnvelope(const Envelope& envelope, uint64_t cluster, std::string& out);

// `bytes` may come from anywhere. The body of `envelope` points into `bytes`.
EnvelopeError ParseEnvelope(std::string_view bytes, const Membership& membership,
                            Envelope& envelope);

}  // namespace foretell::integration::sdk
