#include "foretell/integration/sdk/net/envelope.h"

#include <gtest/gtest.h>

#include <random>

namespace foretell::integration::sdk {
namespace {

using model::NodeId;

constexpr Membership kNodeTwo = {.cluster = 77, .node_count = 3, .self = NodeId(2)};

std::string Sample(const std::string& body = "hello") {
  std::string bytes;
  AppendEnvelope(
      {EnvelopeKind::kMessage, NodeId(1), NodeId(2), {.checkpoint = 5, .epoch = 6, .seq = 7}, body},
      77, bytes);
  return bytes;
}

TEST(EnvelopeTest, ComesBackAsItWasSent) {
  const std::string bytes = Sample();
  EXPECT_EQ(bytes.size(), kEnvelopeBytes + 5);
  Envelope envelope;
  ASSERT_EQ(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kNone);
  EXPECT_EQ(envelope.from, NodeId(1));
  EXPECT_EQ(envelope.to, NodeId(2));
  EXPECT_EQ(envelope.stamp, (snapshot::Stamp{.checkpoint = 5, .epoch = 6, .seq = 7}));
  EXPECT_EQ(envelope.body, "hello");
}

TEST(EnvelopeTest, BodiesMayBeEmpty) {
  Envelope envelope;
  const std::string bytes = Sample("");
  ASSERT_EQ(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kNone);
  EXPECT_EQ(envelope.body, "");
}

TEST(EnvelopeTest, SaysWhatIsWrong) {
  Envelope envelope;
  const std::string bytes = Sample();
  Membership other = kNodeTwo;
  other.cluster = 78;
  EXPECT_EQ(ParseEnvelope(bytes, other, envelope), EnvelopeError::kCluster);
  other = kNodeTwo;
  other.self = NodeId(0);
  EXPECT_EQ(ParseEnvelope(bytes, other, envelope), EnvelopeError::kReceiver);
  other.self = NodeId(1);
  EXPECT_EQ(ParseEnvelope(bytes, other, envelope), EnvelopeError::kSender);
  other = kNodeTwo;
  other.node_count = 1;
  EXPECT_EQ(ParseEnvelope(bytes, other, envelope), EnvelopeError::kSender);
  std::string version = bytes;
  version[4] = 2;
  EXPECT_EQ(ParseEnvelope(version, kNodeTwo, envelope), EnvelopeError::kVersion);
  EXPECT_EQ(ParseEnvelope("", kNodeTwo, envelope), EnvelopeError::kGarbage);
}

TEST(EnvelopeTest, KeepsItsKind) {
  std::string bytes;
  AppendEnvelope({.kind = EnvelopeKind::kAcknowledgement, .from = NodeId(1), .to = NodeId(2)}, 77,
                 bytes);
  Envelope envelope;
  ASSERT_EQ(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kNone);
  EXPECT_EQ(envelope.kind, EnvelopeKind::kAcknowledgement);
}

TEST(EnvelopeTest, HugeNumbersAreGarbage) {
  std::string bytes;
  AppendEnvelope({EnvelopeKind::kMessage,
                  NodeId(1),
                  NodeId(2),
                  {.checkpoint = UINT64_MAX, .epoch = 6, .seq = 7},
                  ""},
                 77, bytes);
  Envelope envelope;
  EXPECT_EQ(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kGarbage);
}

TEST(EnvelopeTest, NoMutationIsTaken) {
  std::mt19937 random(1);
  const std::string whole = Sample("a body that is somewhat longer");
  Envelope envelope;
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = whole;
    switch (random() % 3) {
      case 0: bytes.resize(random() % bytes.size()); break;
      case 1: bytes.append(1 + random() % 40, static_cast<char>(random())); break;
      default: bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    }
    EXPECT_NE(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kNone) << round;
  }
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 200, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_NE(ParseEnvelope(bytes, kNodeTwo, envelope), EnvelopeError::kNone) << round;
  }
}

TEST(EnvelopeTest, ClustersDiffer) {
  const uint64_t id = ClusterId("paxos", "live", "", 3);
  EXPECT_EQ(id, ClusterId("paxos", "live", "", 3));
  EXPECT_NE(id, ClusterId("paxos", "live", "twin", 3));
  EXPECT_NE(id, ClusterId("paxos", "livet", "win", 3));
  EXPECT_NE(id, ClusterId("paxos", "live", "", 5));
}

}  // namespace
}  // namespace foretell::integration::sdk
