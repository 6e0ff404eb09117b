// The plain semantics of networks and faults.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/service.h"

namespace foretell::model {
namespace {

struct Number {
  uint32_t n = 0;
  FORETELL_FIELDS(n)
};

// Node 1 writes down what arrives. Nothing is sent but what the cut holds, and what node 0 says by
// itself: 5 and then 6.
struct RecordProtocol {
  struct State {
    std::vector<uint32_t> heard;
    FORETELL_FIELDS(heard)
  };
  using Message = Number;
  using Action = Number;
  Network net;
  uint8_t crashes_max = 0;
  uint8_t breaks_max = 0;

  uint32_t node_count() const { return 3; }
  Network network() const { return net; }
  FaultBudget faults(NodeId node) const {
    if (node != NodeId(1)) return {};
    return {.crashes_max = crashes_max, .breaks_max = breaks_max};
  }
  State Initial(NodeId) const { return {}; }
  State OnCrash(NodeId, const State& state) const { return state; }
  std::vector<TypedInvariant<State>> Invariants() const { return {}; }
  std::vector<Action> Actions(NodeId node, const State& state) const {
    return node == NodeId(0) && state.heard.empty() ? std::vector<Action>{{5}}
                                                    : std::vector<Action>{};
  }
  void OnAction(State& state, const Action& action, Context<Message>& context) const {
    state.heard.push_back(0);
    context.Send(NodeId(1), action);
    context.Send(NodeId(1), {action.n + 1});
  }
  void OnMessage(State& state, NodeId from, const Message& message, Context<Message>&) const {
    state.heard.push_back(10 * from.value() + message.n);
  }
};

constexpr Network kStreams{.kind = NetworkKind::kStreams};

Message ToOne(uint32_t from, uint32_t n) { return {NodeId(from), NodeId(1), Encode(Number{n})}; }
PathStep Delivery(uint32_t from, uint32_t n) {
  return {NodeId(1), {EventKind::kDeliver, NodeId(from), Encode(Number{n})}, {}};
}
const PathStep kSay{NodeId(0), {EventKind::kAction, NodeId(0), Encode(Number{5})}, {}};
const PathStep kCrash{NodeId(1), {.kind = EventKind::kCrash}, {}};
const PathStep kRestart{NodeId(1), {.kind = EventKind::kRestart}, {}};
const PathStep kBreak{NodeId(1), {.kind = EventKind::kBreak, .peer = NodeId(0)}, {}};

// Plays `path`; what node 1 heard, or nothing if a step is impossible.
using Heard = std::optional<std::vector<uint32_t>>;
Heard Play(const RecordProtocol& protocol, std::vector<Message> in_flight, const Path& path) {
  const auto service = MakeService(protocol);
  SystemCut start = InitialCut(*service);
  start.in_flight = std::move(in_flight);
  const auto replayed = Replay(*service, start, path);
  if (!replayed.ok()) return std::nullopt;
  return Decode<RecordProtocol::State>(replayed->back().after.nodes[1].body)->heard;
}
using V = std::vector<uint32_t>;

// By step of `path`: where the message that it delivers was sent.
std::vector<std::optional<SentBy>> Origins(const RecordProtocol& protocol,
                                           std::vector<Message> in_flight, const Path& path) {
  const auto service = MakeService(protocol);
  SystemCut start = InitialCut(*service);
  start.in_flight = std::move(in_flight);
  std::vector<std::optional<SentBy>> origins;
  const auto replayed = Replay(*service, start, path);
  for (const ReplayedStep& step : *replayed) {
    origins.push_back(step.effect.sent_by);
  }
  return origins;
}
constexpr std::optional<SentBy> kNone;

TEST(PlainNetworkTest, ADeliveryNamesTheSend) {
  using testing::ElementsAre;
  EXPECT_THAT(Origins({}, {}, {kSay, Delivery(0, 6), Delivery(0, 5)}),
              ElementsAre(kNone, SentBy{0, 1}, SentBy{0, 0}));
  // Of equal messages the oldest arrives.
  EXPECT_THAT(Origins({}, {ToOne(0, 5)}, {kSay, Delivery(0, 5), Delivery(0, 5)}),
              ElementsAre(kNone, kNone, SentBy{0, 0}));
  const RecordProtocol duplicates{{.duplicates_max = 1}};
  EXPECT_THAT(Origins(duplicates, {}, {kSay, Delivery(0, 5), Delivery(0, 6), Delivery(0, 5)}),
              ElementsAre(kNone, SentBy{0, 0}, SentBy{0, 1}, SentBy{0, 0}));
}

TEST(PlainNetworkTest, WhatACutStreamLostIsNotTakenForTheSend) {
  using testing::ElementsAre;
  const RecordProtocol protocol{kStreams, 1, 1};
  const std::vector<Message> flying = {ToOne(0, 5), ToOne(2, 1), ToOne(0, 6)};
  EXPECT_THAT(Origins(protocol, flying, {kBreak, kSay, Delivery(0, 5), Delivery(2, 1)}),
              ElementsAre(kNone, kNone, SentBy{1, 0}, kNone));
  EXPECT_THAT(Origins(protocol, flying, {kCrash, kRestart, kSay, Delivery(0, 5), Delivery(0, 6)}),
              ElementsAre(kNone, kNone, kNone, SentBy{2, 0}, SentBy{2, 1}));
}

TEST(PlainNetworkTest, DatagramsArriveInAnyOrder) {
  EXPECT_EQ(Play({}, {}, {kSay, Delivery(0, 6), Delivery(0, 5)}), (V{6, 5}));
  EXPECT_EQ(Play({}, {ToOne(0, 1)}, {Delivery(0, 1), Delivery(0, 1)}), std::nullopt);
}

TEST(PlainNetworkTest, StreamsArriveInTheOrderOfSending) {
  const RecordProtocol protocol{kStreams};
  EXPECT_EQ(Play(protocol, {}, {kSay, Delivery(0, 6)}), std::nullopt);
  EXPECT_EQ(Play(protocol, {ToOne(0, 1)}, {kSay, Delivery(0, 5)}), std::nullopt);
  EXPECT_EQ(Play(protocol, {ToOne(0, 1)}, {kSay, Delivery(0, 1), Delivery(0, 5), Delivery(0, 6)}),
            (V{1, 5, 6}));
}

TEST(PlainNetworkTest, StreamsOfDifferentSendersDoNotWait) {
  const RecordProtocol protocol{kStreams};
  EXPECT_EQ(Play(protocol, {ToOne(0, 1), ToOne(2, 1)}, {Delivery(2, 1), Delivery(0, 1)}),
            (V{21, 1}));
}

TEST(PlainNetworkTest, ABreakLosesItsStreamOnly) {
  const RecordProtocol protocol{kStreams, 0, 1};
  const std::vector<Message> flying = {ToOne(0, 1), ToOne(2, 1), ToOne(0, 2)};
  EXPECT_EQ(Play(protocol, flying, {kBreak, Delivery(2, 1)}), (V{21}));
  EXPECT_EQ(Play(protocol, flying, {kBreak, Delivery(0, 1)}), std::nullopt);
  EXPECT_EQ(Play(protocol, flying, {kBreak, Delivery(0, 2)}), std::nullopt);
  // What is sent afterwards arrives.
  EXPECT_EQ(Play(protocol, flying, {kBreak, kSay, Delivery(0, 5)}), (V{5}));
  EXPECT_EQ(Play(protocol, flying, {kBreak, kBreak}), std::nullopt);
}

TEST(PlainNetworkTest, ARestartEmptiesStreamsTowardsTheNode) {
  const RecordProtocol protocol{kStreams, 1};
  EXPECT_EQ(Play(protocol, {ToOne(0, 1)}, {kCrash, kRestart, Delivery(0, 1)}), std::nullopt);
  // Sent while it was down: lost as well.
  EXPECT_EQ(Play(protocol, {}, {kCrash, kSay, kRestart, Delivery(0, 5)}), std::nullopt);
  EXPECT_EQ(Play(protocol, {}, {kCrash, kRestart, kSay, Delivery(0, 5)}), (V{5}));
}

TEST(PlainNetworkTest, DatagramsOutliveARestart) {
  EXPECT_EQ(Play({{}, 1}, {ToOne(0, 1)}, {kCrash, kRestart, Delivery(0, 1)}), (V{1}));
}

TEST(PlainNetworkTest, ADownNodeReceivesNothing) {
  EXPECT_EQ(Play({{}, 1}, {ToOne(0, 1)}, {kCrash, Delivery(0, 1)}), std::nullopt);
  EXPECT_EQ(Play({{}, 1}, {}, {kCrash, kCrash}), std::nullopt);
  EXPECT_EQ(Play({{}, 1}, {}, {kCrash, kRestart, kCrash}), std::nullopt);
  EXPECT_EQ(Play({{}, 1}, {}, {kRestart}), std::nullopt);
}

TEST(PlainNetworkTest, DuplicatesAreBounded) {
  const RecordProtocol protocol{{.duplicates_max = 2}};
  const PathStep again = Delivery(0, 6);
  EXPECT_EQ(Play(protocol, {}, {kSay, again, again, again}), (V{6, 6, 6}));
  EXPECT_EQ(Play(protocol, {}, {kSay, again, again, again, again}), std::nullopt);
  // What a cut holds is what is there, duplicates included.
  EXPECT_EQ(Play(protocol, {ToOne(0, 1)}, {Delivery(0, 1), Delivery(0, 1)}), std::nullopt);
}

TEST(PlainNetworkTest, EqualStatesHaveEqualCanonicalForms) {
  const auto canonical = [](Network network, std::vector<Message> in_flight) {
    const auto service = MakeService(RecordProtocol{network});
    SystemCut cut = InitialCut(*service);
    cut.in_flight = std::move(in_flight);
    return PlainSystem(*service, cut).Canonical();
  };
  const Message a = ToOne(0, 1);
  const Message b = ToOne(0, 2);
  const Message c = ToOne(2, 1);
  EXPECT_EQ(canonical({}, {a, b, c}), canonical({}, {c, b, a}));
  EXPECT_NE(canonical({}, {a, a}), canonical({}, {a}));
  EXPECT_EQ(canonical(kStreams, {a, b, c}), canonical(kStreams, {c, a, b}));
  EXPECT_NE(canonical(kStreams, {a, b, c}), canonical(kStreams, {b, a, c}));
}

TEST(PlainNetworkTest, RefusesCutsOfAnotherService) {
  const auto service = MakeService(RecordProtocol{{}, 1});
  SystemCut cut = InitialCut(*service);
  EXPECT_TRUE(ValidateCut(*service, cut).ok());
  cut.nodes[1].faults[FaultKind::kCrash] = 2;
  EXPECT_FALSE(ValidateCut(*service, cut).ok());
  cut = InitialCut(*service);
  cut.nodes[2].body = "\xff";
  EXPECT_FALSE(ValidateCut(*service, cut).ok());
  cut = InitialCut(*service);
  cut.in_flight = {{NodeId(3), NodeId(0), Encode(Number{1})}};
  EXPECT_FALSE(ValidateCut(*service, cut).ok());
  cut.in_flight = {{NodeId(2), NodeId(0), ""}};
  EXPECT_FALSE(ValidateCut(*service, cut).ok());
  cut.in_flight.clear();
  cut.nodes.pop_back();
  EXPECT_FALSE(ValidateCut(*service, cut).ok());
}

}  // namespace
}  // namespace foretell::model
