#include "foretell/snapshot/protocol/cut_assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "foretell/model/forwarding_service.h"
#include "foretell/model/typed/service.h"
#include "foretell/snapshot/testing/gossip.h"

namespace foretell::snapshot {
namespace {

using model::NodeId;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kNumber = 10;
constexpr auto kStreams = model::NetworkKind::kStreams;

std::unique_ptr<model::Service> MakeGossip(
    model::NetworkKind kind = model::NetworkKind::kDatagrams) {
  return model::MakeService(Gossip{.nodes = 2, .kind = kind});
}

std::string Body(uint64_t seq) {
  return model::Encode(Gossip::Message{.count = static_cast<uint32_t>(seq)});
}

// What `life` sent to node 1: messages 1 .. last, of which those from `first` on are remembered.
Outbox Sent(uint64_t first, uint64_t last, uint64_t life = 1) {
  Outbox outbox{NodeId(1), FirstEpoch(life), last, {}};
  for (uint64_t seq = first; seq <= last; ++seq) outbox.recent.push_back({seq, Body(seq), 5});
  return outbox;
}

// Two nodes, of which 0 sends to 1.
struct Pair {
  explicit Pair(model::NetworkKind kind = model::NetworkKind::kDatagrams)
      : service(MakeGossip(kind)) {
    for (uint32_t n = 0; n < 2; ++n) {
      nodes.push_back(
          {NodeId(n), kNumber, {.body = service->InitialState(NodeId(n))}, {}, {}, 1, 0});
    }
  }
  absl::StatusOr<Snapshot> Cut() const {
    std::vector<std::shared_ptr<const Checkpoint>> checkpoints;
    for (const Checkpoint& node : nodes) {
      checkpoints.push_back(std::make_shared<const Checkpoint>(node));
    }
    return Assemble(*service, kNumber, checkpoints, {});
  }
  // The sequence numbers in flight.
  std::vector<uint32_t> Flight(bool exact) const {
    const Snapshot snapshot = Cut().value();
    EXPECT_EQ(snapshot.exact, exact);
    EXPECT_EQ(snapshot.notes.empty(), exact);
    std::vector<uint32_t> counts;
    for (const model::Message& message : snapshot.cut.in_flight) {
      EXPECT_EQ(message.from, NodeId(0));
      EXPECT_EQ(message.to, NodeId(1));
      counts.push_back(model::Decode<Gossip::Message>(message.body)->count);
    }
    return counts;
  }
  void Expect(absl::StatusCode code, const std::vector<std::string>& parts) const {
    const absl::Status status = Cut().status();
    EXPECT_EQ(status.code(), code) << status;
    for (const std::string& part : parts) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(part));
    }
  }
  Checkpoint& sender() { return nodes[0]; }
  Checkpoint& receiver() { return nodes[1]; }

  std::unique_ptr<model::Service> service;
  std::vector<Checkpoint> nodes;
};

using Seqs = std::vector<uint32_t>;

TEST(CutAssemblyTest, QuietNodes) {
  Pair pair;
  EXPECT_EQ(pair.Flight(true), Seqs());
  EXPECT_EQ(pair.Cut()->number, kNumber);
  EXPECT_EQ(pair.Cut()->cut.nodes.at(1).body, pair.service->InitialState(NodeId(1)));
}

TEST(CutAssemblyTest, DatagramsThatCanStillArrive) {
  Pair pair;
  pair.sender().sent = {Sent(1, 5)};
  EXPECT_EQ(pair.Flight(true), Seqs({1, 2, 3, 4, 5}));
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {1, 3}, false}};
  EXPECT_EQ(pair.Flight(true), Seqs({1, 3, 5}));
}

TEST(CutAssemblyTest, DatagramsBehindTheWindowAreLost) {
  Pair pair;
  pair.sender().sent = {Sent(100 - kWindow, 100)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 99, {50}, false}};
  EXPECT_EQ(pair.Flight(true), Seqs({50, 100}));
}

TEST(CutAssemblyTest, ForgottenDatagramsAreNoted) {
  Pair pair;
  pair.sender().sent = {Sent(60, 100)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 99, {50, 70}, false}};
  EXPECT_EQ(pair.Flight(false), Seqs({70, 100}));
  EXPECT_THAT(pair.Cut()->notes, testing::ElementsAre(HasSubstr("channel 0 -> 1")));
  pair.receiver().received[0].missing = {70};
  EXPECT_EQ(pair.Flight(true), Seqs({70, 100}));
}

TEST(CutAssemblyTest, StreamsInOrder) {
  Pair pair(kStreams);
  pair.sender().sent = {Sent(3, 6)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {}, false}};
  EXPECT_EQ(pair.Flight(true), Seqs({5, 6}));
  pair.receiver().received[0].high = 2;
  EXPECT_EQ(pair.Flight(true), Seqs({3, 4, 5, 6}));
  // Message 2 would have to come first, and nobody knows it any more.
  pair.receiver().received[0].high = 1;
  EXPECT_EQ(pair.Flight(false), Seqs());
}

TEST(CutAssemblyTest, BrokenStreamsAreEmpty) {
  Pair pair(kStreams);
  pair.sender().sent = {Sent(1, 6)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {}, true}};
  EXPECT_EQ(pair.Flight(true), Seqs());
  pair.sender().sent[0] = {NodeId(1), FirstEpoch(1) + 1, 1, {{1, Body(1), 5}}};
  EXPECT_EQ(pair.Flight(true), Seqs({1}));
}

// Behind a break that the receiver has yet to see, nothing can arrive, now or later: a checker that
// has both ends would let it.
TEST(CutAssemblyTest, AStreamWithAGapCostsOneOfItsEnds) {
  Pair pair(kStreams);
  pair.sender().sent = {{NodeId(1), FirstEpoch(1) + 1, 1, {{1, Body(1), 5}}}};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {}, false}};
  EXPECT_EQ(pair.Flight(false), Seqs());
  const Snapshot snapshot = pair.Cut().value();
  EXPECT_EQ(snapshot.absent.size(), 1u);
  EXPECT_THAT(snapshot.notes, testing::ElementsAre(testing::AllOf(
                                  HasSubstr("is absent: channel 0 -> 1"), HasSubstr("epoch"))));
  pair.receiver().received[0].closed = true;
  EXPECT_EQ(pair.Flight(true), Seqs({1}));
}

// Gossip whose nodes would not know a break from a loss.
class Unnoticing final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  bool notices_breaks() const override { return false; }
};

TEST(CutAssemblyTest, WhereNobodyNoticesBreaksAGapIsALoss) {
  Pair pair(kStreams);
  const auto noticing = std::exchange(pair.service, nullptr);
  pair.service = std::make_unique<Unnoticing>(*noticing);
  pair.sender().sent = {{NodeId(1), FirstEpoch(1) + 1, 1, {{1, Body(1), 5}}}};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {}, false}};
  EXPECT_EQ(pair.Flight(false), Seqs({1}));
  EXPECT_TRUE(pair.Cut()->absent.empty());
}

// A restarted node has a gap with each of its peers; it is the one to leave out.
TEST(CutAssemblyTest, TheNodeWithMostGapsIsLeftOut) {
  const auto service = model::MakeService(Gossip{.nodes = 3, .kind = kStreams});
  std::vector<std::shared_ptr<const Checkpoint>> checkpoints;
  for (uint32_t n = 0; n < 3; ++n) {
    const uint64_t life = n == 1 ? 2 : 1;
    Checkpoint node{NodeId(n), kNumber, {.body = service->InitialState(NodeId(n))}, {}, {}, life};
    if (n != 1) node.received = {{NodeId(1), FirstEpoch(2), 0, {}, false}};
    if (n != 1) node.sent = {{NodeId(1), FirstEpoch(1) + 1, 0, {}}};
    checkpoints.push_back(std::make_shared<const Checkpoint>(node));
  }
  const Snapshot snapshot = Assemble(*service, kNumber, checkpoints, {}).value();
  ASSERT_EQ(snapshot.absent.size(), 1u);
  EXPECT_EQ(snapshot.absent[0].node, NodeId(1));
  EXPECT_THAT(snapshot.absent[0].reason, HasSubstr("channel "));
}

TEST(CutAssemblyTest, OrphansAreRefused) {
  Pair pair;
  pair.sender().sent = {Sent(1, 3)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 4, {}, false}};
  pair.Expect(absl::StatusCode::kFailedPrecondition, {"channel 0 -> 1", "received 4", "sent 3"});
  pair.sender().sent.clear();
  pair.Expect(absl::StatusCode::kFailedPrecondition, {"received 4", "sent 0"});
  pair.receiver().received[0] = {NodeId(0), FirstEpoch(2), 1, {}, false};
  pair.Expect(absl::StatusCode::kFailedPrecondition,
              {std::to_string(FirstEpoch(1)), std::to_string(FirstEpoch(2))});
}

TEST(CutAssemblyTest, RestartedSender) {
  Pair pair;
  pair.sender().life = 2;
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 40, {}, false}};
  EXPECT_EQ(pair.Flight(false), Seqs());
  pair.sender().sent = {Sent(1, 2, 2)};
  EXPECT_EQ(pair.Flight(false), Seqs({1, 2}));
  pair.receiver().received = {{NodeId(0), FirstEpoch(2), 0, {}, false}};
  EXPECT_EQ(pair.Flight(true), Seqs({1, 2}));
}

TEST(CutAssemblyTest, RestartedReceiverForgetsWhatItHasReceived) {
  Pair pair;
  pair.sender().sent = {Sent(1, 4)};
  pair.sender().sent[0].recent[3].checkpoint = 7;
  pair.receiver().life = 2;
  pair.receiver().floor = 6;
  pair.sender().received = {{NodeId(1), FirstEpoch(2), 0, {}, false}};
  pair.receiver().sent = {{NodeId(0), FirstEpoch(2), 0, {}}};
  EXPECT_EQ(pair.Flight(false), Seqs({4}));
  pair.receiver().floor = 4;
  EXPECT_EQ(pair.Flight(true), Seqs({1, 2, 3, 4}));
}

TEST(CutAssemblyTest, MessagesToOneself) {
  Pair pair;
  pair.nodes[1].life = 2;
  pair.nodes[1].floor = 9;
  pair.nodes[1].sent = {Sent(1, 3, 2)};
  pair.nodes[1].received = {{NodeId(1), FirstEpoch(2), 2, {}, false}};
  pair.nodes[0].received = {{NodeId(1), FirstEpoch(2), 0, {}, false}};
  pair.nodes[1].sent.insert(pair.nodes[1].sent.begin(), {NodeId(0), FirstEpoch(2), 0, {}});
  const Snapshot snapshot = pair.Cut().value();
  EXPECT_TRUE(snapshot.exact);
  EXPECT_EQ(snapshot.cut.in_flight, (std::vector<model::Message>{{NodeId(1), NodeId(1), Body(3)}}));
}

TEST(CutAssemblyTest, AbsentNodes) {
  Pair pair;
  pair.sender().sent = {Sent(1, 3)};
  std::vector<std::shared_ptr<const Checkpoint>> checkpoints = {
      std::make_shared<const Checkpoint>(pair.sender()), nullptr};
  const std::vector<std::string> reasons = {"", "connection refused"};
  const Snapshot snapshot = Assemble(*pair.service, kNumber, checkpoints, reasons).value();
  EXPECT_FALSE(snapshot.exact);
  EXPECT_THAT(snapshot.absent, testing::ElementsAre(Absent{NodeId(1), "connection refused"}));
  EXPECT_THAT(snapshot.notes, testing::ElementsAre("node 1 is absent: connection refused."));
  EXPECT_EQ(snapshot.cut.nodes.at(1), (model::NodeState{.status = model::NodeStatus::kAbsent}));
  EXPECT_THAT(snapshot.cut.in_flight, IsEmpty());
  checkpoints[0] = nullptr;
  const absl::Status status = Assemble(*pair.service, kNumber, checkpoints, reasons).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("connection refused"));
}

TEST(CutAssemblyTest, WrongCount) {
  const auto service = MakeGossip();
  const std::vector<std::shared_ptr<const Checkpoint>> checkpoints(3);
  const absl::Status status = Assemble(*service, kNumber, checkpoints, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), testing::AllOf(HasSubstr("3"), HasSubstr("2")));
}

struct Lie {
  std::string name;
  std::function<void(Pair&)> tell;
  std::vector<std::string> parts;  // Of the answer.
};

std::vector<Lie> DatagramLies() {
  const auto inbox = [](uint64_t high, std::vector<uint64_t> missing) {
    return [=](Pair& p) {
      p.receiver().received = {{NodeId(0), FirstEpoch(1), high, missing, false}};
    };
  };
  return {
      {"node", [](Pair& p) { p.sender().node = NodeId(1); }, {"node 0", "node 1"}},
      {"number", [](Pair& p) { p.sender().number = 9; }, {"9", "10"}},
      {"life", [](Pair& p) { p.sender().life = 0; }, {"life 0"}},
      {"long life", [](Pair& p) { p.sender().life = uint64_t{1} << 32; }, {"4294967296"}},
      {"floor", [](Pair& p) { p.sender().floor = 10; }, {"10"}},
      {"absent", [](Pair& p) { p.sender().state.status = model::NodeStatus::kAbsent; }, {"absent"}},
      {"state", [](Pair& p) { p.sender().state.body = "?"; }, {"node 0", "1 bytes"}},
      {"receiver", [](Pair& p) { p.sender().sent[0].to = NodeId(2); }, {"node 2", "1"}},
      {"twice", [](Pair& p) { p.sender().sent.push_back(p.sender().sent[0]); }, {"node 1 after"}},
      {"epoch", [](Pair& p) { p.sender().sent[0].epoch = 5; }, {"epoch 5", "life 1"}},
      {"last", [](Pair& p) { p.sender().sent[0].last = 2; }, {"4 messages of 2"}},
      {"jump", [](Pair& p) { p.sender().sent[0].recent[1].seq = 7; }, {"message 7", "2"}},
      {"late", [](Pair& p) { p.sender().sent[0].recent[1].checkpoint = 10; }, {"10"}},
      {"early", [](Pair& p) { p.sender().sent[0].recent[1].checkpoint = 4; }, {"4", "5"}},
      {"huge", [](Pair& p) { p.sender().sent = {Sent(1, kDatagramsKept + 1)}; }, {"129", "128"}},
      {"body", [](Pair& p) { p.sender().sent[0].recent[1].body = ""; }, {"node 0 to node 1"}},
      {"sender",
       [](Pair& p) {
         p.receiver().received = {{NodeId(9), FirstEpoch(1), 1, {}, false}};
       },
       {"node 9", "1"}},
      {"never",
       [](Pair& p) {
         p.receiver().received = {{NodeId(0), 7, 1, {}, false}};
       },
       {"7"}},
      {"unsorted",
       [](Pair& p) {
         p.receiver().received = {{NodeId(1), FirstEpoch(1), 0, {}, false},
                                  {NodeId(0), FirstEpoch(1), 0, {}, false}};
       },
       {"node 0 after node 1"}},
      {"closed",
       [](Pair& p) {
         p.receiver().received = {{NodeId(0), FirstEpoch(1), 1, {}, true}};
       },
       {"closed"}},
      {"missing all", inbox(3, {3}), {"missing 3", "3"}},
      {"missing more", inbox(3, {4}), {"missing 4", "3"}},
      {"missing none", inbox(3, {0}), {"missing 0"}},
      {"missing twice", inbox(3, {1, 1}), {"missing 1"}},
      {"missing old", inbox(100, {36}), {"missing 36"}},
      {"missing too many", inbox(100, std::vector<uint64_t>(kWindow, 50)), {"64", "63"}},
  };
}

TEST(CutAssemblyTest, LiesAreRefused) {
  for (const Lie& lie : DatagramLies()) {
    SCOPED_TRACE(lie.name);
    Pair pair;
    pair.sender().sent = {Sent(1, 4)};
    EXPECT_TRUE(pair.Cut().ok());
    lie.tell(pair);
    pair.Expect(absl::StatusCode::kInvalidArgument, lie.parts);
  }
}

TEST(CutAssemblyTest, StreamsMissNothing) {
  Pair pair(kStreams);
  pair.sender().sent = {Sent(1, 4)};
  pair.receiver().received = {{NodeId(0), FirstEpoch(1), 3, {2}, false}};
  pair.Expect(absl::StatusCode::kInvalidArgument, {"1 messages missing"});
}

// A number that is near a limit or near another one, as liars like them.
uint64_t Odd(std::mt19937_64& random) {
  constexpr uint64_t kOdd[] = {0,
                               1,
                               2,
                               63,
                               64,
                               65,
                               128,
                               UINT64_MAX,
                               UINT64_MAX - 1,
                               FirstEpoch(1),
                               FirstEpoch(1) + 1,
                               FirstEpoch(2)};
  return random() % 4 == 0 ? random() % 200 : kOdd[random() % std::size(kOdd)];
}

// Checkpoints that are random from head to foot, and good ones with a few random changes: an error
// or a cut, never a crash.
TEST(CutAssemblyTest, RandomCheckpointsDoNoHarm) {
  int accepted = 0;
  for (uint64_t seed = 0; seed < 30'000; ++seed) {
    std::mt19937_64 random(seed);
    Pair pair(seed % 2 == 0 ? model::NetworkKind::kDatagrams : kStreams);
    pair.sender().sent = {Sent(1 + random() % 5, 5)};
    pair.receiver().received = {{NodeId(0), FirstEpoch(1), random() % 6, {}, false}};
    for (uint64_t changes = random() % 4; changes > 0; --changes) {
      Checkpoint& node = pair.nodes[random() % 2];
      if (node.sent.empty()) node.sent.emplace_back();
      if (node.received.empty()) node.received.emplace_back();
      Outbox& outbox = node.sent[random() % node.sent.size()];
      Inbox& inbox = node.received[random() % node.received.size()];
      switch (random() % 14) {
        case 0: node.number = Odd(random); break;
        case 1: node.life = Odd(random); break;
        case 2: node.floor = Odd(random); break;
        case 3: outbox.to = NodeId(static_cast<uint32_t>(Odd(random))); break;
        case 4: outbox.epoch = Odd(random); break;
        case 5: outbox.last = Odd(random); break;
        case 6: outbox.recent.push_back({Odd(random), Body(1), Odd(random)}); break;
        case 7: outbox.recent.resize(Odd(random) % 200); break;
        case 8: inbox.from = NodeId(static_cast<uint32_t>(Odd(random))); break;
        case 9: inbox.epoch = Odd(random); break;
        case 10: inbox.high = Odd(random); break;
        case 11: inbox.missing.push_back(Odd(random)); break;
        case 12: inbox.closed = !inbox.closed; break;
        case 13: node.state.status = static_cast<model::NodeStatus>(random() % 4); break;
      }
    }
    const auto snapshot = pair.Cut();
    if (!snapshot.ok()) continue;
    ++accepted;
    EXPECT_EQ(snapshot->cut.nodes.size(), 2u);
  }
  EXPECT_GT(accepted, 5'000);
  EXPECT_LT(accepted, 25'000);
}

}  // namespace
}  // namespace foretell::snapshot
