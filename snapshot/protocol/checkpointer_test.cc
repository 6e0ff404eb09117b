#include "foretell/snapshot/protocol/checkpointer.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace foretell::snapshot {
namespace {

using model::NodeId;

const NodeId kSelf(0);
const NodeId kPeer(1);

// A node whose state is a text.
struct Host {
  explicit Host(Checkpointer::Options options = {})
      : checkpointer(options, [this] {
          ++captures;
          return model::NodeState{.body = text};
        }) {}
  Receipt Receive(uint64_t checkpoint, uint64_t seq, uint64_t life = 1) {
    return checkpointer.OnReceive(kPeer, {checkpoint, FirstEpoch(life), seq});
  }
  std::string text = "start";
  int captures = 0;
  Checkpointer checkpointer;
};

Checkpointer::Options Streams() { return {.network = model::NetworkKind::kStreams}; }

TEST(CheckpointerTest, StampsCountPerReceiver) {
  Host host;
  EXPECT_EQ(host.checkpointer.OnSend(kPeer, "a"), (Stamp{0, FirstEpoch(1), 1}));
  EXPECT_EQ(host.checkpointer.OnSend(kPeer, "b"), (Stamp{0, FirstEpoch(1), 2}));
  EXPECT_EQ(host.checkpointer.OnSend(kSelf, "c"), (Stamp{0, FirstEpoch(1), 1}));
  ASSERT_TRUE(host.checkpointer.Request(7).ok());
  EXPECT_EQ(host.checkpointer.OnSend(kPeer, "d"), (Stamp{7, FirstEpoch(1), 3}));
}

TEST(CheckpointerTest, HigherNumberForcesACheckpointBeforeTheMessageCounts) {
  Host host;
  EXPECT_EQ(host.Receive(0, 1), Receipt::kTake);
  EXPECT_EQ(host.captures, 0);
  EXPECT_EQ(host.Receive(5, 2), Receipt::kTake);
  EXPECT_EQ(host.checkpointer.number(), 5u);
  host.text = "handled";
  const auto checkpoint = host.checkpointer.Request(5).value();
  EXPECT_EQ(host.captures, 1);
  EXPECT_EQ(checkpoint->state.body, "start");
  EXPECT_EQ(checkpoint->received, (std::vector<Inbox>{{kPeer, FirstEpoch(1), 1, {}, false}}));
}

TEST(CheckpointerTest, WhatIsNotTakenForcesNothing) {
  Host host;
  EXPECT_EQ(host.Receive(0, 100), Receipt::kTake);
  EXPECT_EQ(host.Receive(5, 100), Receipt::kDuplicate);
  EXPECT_EQ(host.Receive(5, 100 - kWindow), Receipt::kStale);
  EXPECT_EQ(host.Receive(0, 1, 3), Receipt::kTake);
  EXPECT_EQ(host.Receive(5, 101, 1), Receipt::kStale);
  EXPECT_EQ(host.checkpointer.OnReceive(kPeer, {5, 0, 1}), Receipt::kStale);
  EXPECT_EQ(host.captures, 0);
}

TEST(CheckpointerTest, WindowKnowsWhatIsMissing) {
  Host host;
  for (const uint64_t seq : {3, 1, 70, 69, 8}) EXPECT_EQ(host.Receive(0, seq), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 6), Receipt::kStale);
  EXPECT_EQ(host.Receive(0, 7), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 8), Receipt::kDuplicate);
  const auto checkpoint = host.checkpointer.Request(1).value();
  ASSERT_EQ(checkpoint->received.size(), 1u);
  const Inbox& inbox = checkpoint->received[0];
  EXPECT_EQ(inbox.high, 70u);
  ASSERT_EQ(inbox.missing.size(), 60u);
  EXPECT_EQ(inbox.missing.front(), 9u);
  EXPECT_EQ(inbox.missing.back(), 68u);
}

TEST(CheckpointerTest, OutboxKeepsTheLastMessages) {
  Host host;
  for (size_t i = 1; i <= kDatagramsKept + 5; ++i) {
    host.checkpointer.OnSend(kPeer, std::to_string(i));
  }
  const auto checkpoint = host.checkpointer.Request(1).value();
  const Outbox& outbox = checkpoint->sent.at(0);
  EXPECT_EQ(outbox.last, kDatagramsKept + 5);
  ASSERT_EQ(outbox.recent.size(), kDatagramsKept);
  EXPECT_EQ(outbox.recent.front(), (SentMessage{6, "6", 0}));
}

TEST(CheckpointerTest, OutboxHasALimitInBytes) {
  Host host;
  host.checkpointer.OnSend(kPeer, std::string(kSentBytesMax / 2, 'a'));
  host.checkpointer.OnSend(kPeer, std::string(kSentBytesMax / 2, 'b'));
  EXPECT_EQ(host.checkpointer.Request(1).value()->sent[0].recent.size(), 2u);
  host.checkpointer.OnSend(kPeer, "c");
  EXPECT_EQ(host.checkpointer.Request(2).value()->sent[0].recent.size(), 2u);
  host.checkpointer.OnSend(kPeer, std::string(kSentBytesMax + 1, 'd'));
  const auto checkpoint = host.checkpointer.Request(3).value();
  EXPECT_EQ(checkpoint->sent[0].last, 4u);
  EXPECT_TRUE(checkpoint->sent[0].recent.empty());
}

TEST(CheckpointerTest, AnswersWithTheCheckpointAtWhichTheNumberRose) {
  Host host;
  ASSERT_TRUE(host.checkpointer.Request(3).ok());
  host.text = "later";
  ASSERT_EQ(host.Receive(10, 1), Receipt::kTake);
  host.text = "latest";
  EXPECT_EQ(host.checkpointer.Request(1).value()->number, 3u);
  EXPECT_EQ(host.checkpointer.Request(3).value()->number, 3u);
  EXPECT_EQ(host.checkpointer.Request(4).value()->state.body, "later");
  EXPECT_EQ(host.checkpointer.Request(10).value()->state.body, "later");
  EXPECT_EQ(host.checkpointer.Request(11).value()->state.body, "latest");
  EXPECT_EQ(host.captures, 3);
}

TEST(CheckpointerTest, PrunedCheckpointsAreNotReplacedByLaterOnes) {
  Host host({.count_max = 2});
  for (const uint64_t number : {3, 10, 20}) ASSERT_TRUE(host.checkpointer.Request(number).ok());
  for (const uint64_t number : {0, 1, 3}) {
    const absl::Status status = host.checkpointer.Request(number).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << number;
    EXPECT_NE(status.message().find("checkpoint " + std::to_string(number) + " "),
              status.message().npos)
        << status;
  }
  EXPECT_EQ(host.checkpointer.Request(4).value()->number, 10u);
}

TEST(CheckpointerTest, QuotaInBytesKeepsTheNewest) {
  Host host({.bytes_max = 5000});
  host.text = std::string(1500, 'x');
  for (const uint64_t number : {1, 2, 3, 4}) ASSERT_TRUE(host.checkpointer.Request(number).ok());
  EXPECT_FALSE(host.checkpointer.Request(1).ok());
  EXPECT_TRUE(host.checkpointer.Request(3).ok());
  host.text = std::string(100'000, 'x');
  EXPECT_EQ(host.checkpointer.Request(5).value()->state.body.size(), 100'000u);
  EXPECT_FALSE(host.checkpointer.Request(4).ok());
  EXPECT_TRUE(host.checkpointer.Request(5).ok());
}

TEST(CheckpointerTest, EarlierLivesAreNotAnsweredFor) {
  Host host({.life = 2, .number = 8});
  EXPECT_EQ(host.checkpointer.number(), 8u);
  EXPECT_EQ(host.checkpointer.Request(8).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(host.captures, 0);
  const auto checkpoint = host.checkpointer.Request(9).value();
  EXPECT_EQ(checkpoint->life, 2u);
  EXPECT_EQ(checkpoint->floor, 8u);
}

TEST(CheckpointerTest, NewEpochEmptiesTheWindow) {
  Host host;
  EXPECT_EQ(host.Receive(0, 9, 1), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 2, 2), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 10, 1), Receipt::kStale);
  EXPECT_EQ(host.checkpointer.Request(1).value()->received.at(0),
            (Inbox{kPeer, FirstEpoch(2), 2, {1}, false}));
}

TEST(CheckpointerTest, AnnouncementsEndOlderEpochs) {
  Host host;
  EXPECT_EQ(host.Receive(0, 9, 1), Receipt::kTake);
  EXPECT_EQ(host.Receive(4, 0, 2), Receipt::kDuplicate);
  EXPECT_EQ(host.checkpointer.number(), 4u);
  EXPECT_EQ(host.Receive(0, 10, 1), Receipt::kStale);
  EXPECT_EQ(host.Receive(0, 1, 2), Receipt::kTake);
  EXPECT_EQ(host.Receive(6, 0, 2), Receipt::kDuplicate);
  EXPECT_EQ(host.checkpointer.number(), 4u);
}

TEST(CheckpointerTest, MessagesToOneselfDieWithTheLife) {
  Host first({.life = 1});
  const Stamp old = first.checkpointer.OnSend(kSelf, "a");
  EXPECT_EQ(first.checkpointer.OnReceive(kSelf, old), Receipt::kTake);
  Host second({.life = 2});
  EXPECT_EQ(second.checkpointer.OnReceive(kSelf, old), Receipt::kStale);
  EXPECT_EQ(second.checkpointer.OnReceive(kSelf, second.checkpointer.OnSend(kSelf, "b")),
            Receipt::kTake);
}

TEST(CheckpointerTest, StreamsComeInOrder) {
  Host host(Streams());
  EXPECT_EQ(host.Receive(9, 2), Receipt::kGap);
  EXPECT_EQ(host.captures, 0);
  EXPECT_EQ(host.Receive(0, 1), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 2), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 1), Receipt::kDuplicate);
  EXPECT_EQ(host.Receive(0, 4), Receipt::kGap);
  EXPECT_EQ(host.Receive(0, 3), Receipt::kTake);
}

TEST(CheckpointerTest, BrokenStreamsTakeNothingMore) {
  Host host(Streams());
  EXPECT_EQ(host.Receive(0, 1), Receipt::kTake);
  host.checkpointer.OnIncomingBroken(kPeer, FirstEpoch(1) + 1);
  EXPECT_EQ(host.Receive(0, 2), Receipt::kTake);
  host.checkpointer.OnIncomingBroken(kPeer, FirstEpoch(1));
  EXPECT_EQ(host.Receive(0, 3), Receipt::kStale);
  EXPECT_TRUE(host.checkpointer.Request(1).value()->received.at(0).closed);
  EXPECT_EQ(host.checkpointer.OnReceive(kPeer, {0, FirstEpoch(1) + 1, 1}), Receipt::kTake);
  EXPECT_FALSE(host.checkpointer.Request(2).value()->received.at(0).closed);
}

TEST(CheckpointerTest, ResetBeginsANewEpoch) {
  Host host(Streams());
  host.checkpointer.OnSend(kPeer, "a");
  host.checkpointer.OnOutgoingBroken(kPeer);
  EXPECT_EQ(host.checkpointer.Announce(kPeer), (Stamp{0, FirstEpoch(1) + 1, 0}));
  EXPECT_EQ(host.checkpointer.OnSend(kPeer, "b"), (Stamp{0, FirstEpoch(1) + 1, 1}));
  EXPECT_EQ(host.checkpointer.Request(1).value()->sent.at(0),
            (Outbox{kPeer, FirstEpoch(1) + 1, 1, {{1, "b", 0}}}));
}

TEST(CheckpointerTest, AcknowledgedMessagesAreForgotten) {
  Host sender(Streams());
  Host receiver(Streams());
  EXPECT_EQ(receiver.checkpointer.Acknowledgement(kPeer), std::nullopt);
  for (const std::string body : {"a", "b", "c"}) {
    const Stamp stamp = sender.checkpointer.OnSend(kPeer, body);
    if (body != "c") receiver.checkpointer.OnReceive(kPeer, stamp);
  }
  ASSERT_TRUE(receiver.checkpointer.Request(4).ok());
  const Stamp acknowledgement = receiver.checkpointer.Acknowledgement(kPeer).value();
  EXPECT_EQ(acknowledgement, (Stamp{4, FirstEpoch(1), 2}));
  sender.checkpointer.OnAcknowledged(kPeer, acknowledgement);
  // The forced checkpoint still has them.
  EXPECT_EQ(sender.checkpointer.Request(4).value()->sent[0].recent.size(), 3u);
  EXPECT_EQ(sender.checkpointer.Request(5).value()->sent[0].recent,
            (std::vector<SentMessage>{{3, "c", 0}}));
  for (const Stamp& bad : {Stamp{9, FirstEpoch(1), 4}, Stamp{9, FirstEpoch(2), 3},
                           Stamp{kJumpMax * 2, FirstEpoch(1), 3}}) {
    sender.checkpointer.OnAcknowledged(kPeer, bad);
    EXPECT_EQ(sender.checkpointer.number(), 5u);
  }
}

TEST(CheckpointerTest, StreamsKeepABoundedNumber) {
  Host host(Streams());
  for (size_t i = 0; i < kStreamKept + 3; ++i) host.checkpointer.OnSend(kPeer, "x");
  const auto checkpoint = host.checkpointer.Request(1).value();
  EXPECT_EQ(checkpoint->sent[0].recent.size(), kStreamKept);
  EXPECT_EQ(checkpoint->sent[0].recent.front().seq, 4u);
}

TEST(CheckpointerTest, AbsurdNumbersAreNotBelieved) {
  Host host;
  EXPECT_EQ(host.Receive(UINT64_MAX, 1), Receipt::kStale);
  EXPECT_EQ(host.Receive(kJumpMax + 1, 1), Receipt::kStale);
  const absl::Status status = host.checkpointer.Request(UINT64_MAX).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find(std::to_string(UINT64_MAX)), status.message().npos) << status;
  EXPECT_EQ(host.checkpointer.number(), 0u);
  EXPECT_EQ(host.Receive(kJumpMax, 1), Receipt::kTake);
  EXPECT_EQ(host.checkpointer.number(), kJumpMax);
}

TEST(CheckpointerTest, AbsurdSequenceNumbersSpoilTheirChannelOnly) {
  Host host;
  EXPECT_EQ(host.Receive(0, UINT64_MAX), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, UINT64_MAX - 1), Receipt::kTake);
  EXPECT_EQ(host.Receive(0, 1), Receipt::kStale);
  EXPECT_EQ(host.checkpointer.OnReceive(NodeId(2), {0, UINT64_MAX, 3}), Receipt::kTake);
  EXPECT_EQ(host.checkpointer.OnReceive(NodeId(3), {0, FirstEpoch(1), 1}), Receipt::kTake);
  const auto checkpoint = host.checkpointer.Request(1).value();
  EXPECT_EQ(checkpoint->received.at(0).missing.size(), kWindow - 2);
  EXPECT_EQ(checkpoint->received.at(2), (Inbox{NodeId(3), FirstEpoch(1), 1, {}, false}));
}

// Any stamps whatsoever: nothing is taken twice, and the window says what a set would.
TEST(CheckpointerTest, RandomStampsAgreeWithASet) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    Host host;
    std::set<uint64_t> got;
    for (int i = 0; i < 300; ++i) {
      const uint64_t high = got.empty() ? 0 : *got.rbegin();
      const uint64_t low = high < 80 ? 0 : high - 80;
      const uint64_t seq = 1 + low + random() % (random() % 20 == 0 ? 300 : 90);
      const Receipt expected = seq + kWindow <= high ? Receipt::kStale
                               : got.contains(seq)   ? Receipt::kDuplicate
                                                     : Receipt::kTake;
      ASSERT_EQ(host.Receive(0, seq), expected) << "seed " << seed << ", seq " << seq;
      if (expected == Receipt::kTake) got.insert(seq);
    }
    const uint64_t high = *got.rbegin();
    std::vector<uint64_t> missing;
    for (uint64_t seq = high < kWindow ? 1 : high - kWindow + 1; seq < high; ++seq) {
      if (!got.contains(seq)) missing.push_back(seq);
    }
    ASSERT_EQ(host.checkpointer.Request(1).value()->received.at(0).missing, missing) << seed;
  }
}

}  // namespace
}  // namespace foretell::snapshot
