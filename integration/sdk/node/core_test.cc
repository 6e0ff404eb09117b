#include "foretell/integration/sdk/node/core.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/integration/sdk/testing/relay.h"
#include "foretell/model/liveness/event_counts.h"

namespace foretell::integration::sdk {
namespace {

using model::Encode;
using model::Event;
using model::EventKind;
using model::NodeId;
using snapshot::Filter;
using snapshot::FilterKind;
using snapshot::Mode;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MakeRelay;
using testing::Relay;
using Kind = Core::CallAnswer::Kind;

constexpr AgentRoster::Session kAgent = 1;

class CoreTest : public ::testing::Test {
 protected:
  Core::Options Options(uint32_t node = 0) {
    return {.node = NodeId(node),
            .now = [this] { return now_; },
            .reset_stream = [this](NodeId peer) { resets_.push_back(peer); }};
  }
  Core MakeCore(const model::Service& service, uint32_t node = 0) {
    return Core(service, service.InitialState(NodeId(node)), Options(node), stats_);
  }
  static std::string Word(uint32_t value) { return Encode(Relay::Message{value, ""}); }
  static std::string ActionBody(Relay::Action action) { return Encode(action); }
  static Envelope From(uint32_t from, uint64_t seq, const std::string& body) {
    return {EnvelopeKind::kMessage,
            NodeId(from),
            NodeId(0),
            {.checkpoint = 0, .epoch = snapshot::FirstEpoch(1), .seq = seq},
            body};
  }
  static Relay::State StateOf(const Core& core) {
    return *model::Decode<Relay::State>(core.live().Encode());
  }
  static Filter FilterOn(FilterKind kind, Event event, Mode mode = Mode::kEnforce) {
    return {.decision = "d1",
            .invariant = "one-lock",
            .kind = kind,
            .mode = mode,
            .node = NodeId(0),
            .event = std::move(event),
            .lease = milliseconds(100)};
  }
  // Node 1 has the lock.
  snapshot::SafetyCut LockedElsewhere(const model::Service& service, Mode mode) {
    snapshot::SafetyCut cut{.number = 1, .modes = {{"one-lock", mode}}, .lease = milliseconds(100)};
    for (uint32_t n = 0; n < 3; ++n) cut.cut.nodes.push_back({.body = service.InitialState({})});
    cut.cut.nodes[1].body = Encode(Relay::State{.locked = true});
    return cut;
  }

  Time now_{};
  Stats stats_;
  std::vector<NodeId> resets_;
};

TEST_F(CoreTest, WhatHappensIsCountedByKindAndName) {
  const auto service = MakeRelay({.ticks_max = 5});
  Core core = MakeCore(*service);
  core.Call("Lock");
  core.Receive(From(1, 1, Word(7)));
  core.Receive(From(1, 2, Word(8)));
  core.Fire(ActionBody(Relay::Tick{1}));
  EXPECT_THAT(core.counter().Lines(), ElementsAre("deliver Word 2", "timer Tick 1", "call Lock 1"));
  model::EventCounts counts;
  for (const std::string& line : core.counter().Lines()) {
    EXPECT_EQ(model::ReadEventCounts(line, counts), absl::OkStatus());
  }
  EXPECT_EQ(counts[model::CountedName(
                *service, {.kind = EventKind::kDeliver, .peer = NodeId(1), .body = Word(9)})],
            2u);
  EXPECT_EQ(counts[model::CountedName(
                *service, {.kind = EventKind::kAction, .body = ActionBody(Relay::Tick{2})})],
            1u);
}

TEST_F(CoreTest, CallsByNameOrAsRendered) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const std::string rendered = core.RenderCalls().front();
  EXPECT_EQ(core.Call(rendered).kind, Kind::kDone);
  const Core::CallAnswer answer = core.Call("Say");
  EXPECT_EQ(answer.kind, Kind::kDone);
  EXPECT_NE(answer.rendered, rendered);
  EXPECT_EQ(StateOf(core).said, 2u);
  EXPECT_EQ(core.Call("Sa").kind, Kind::kUnknown);
  EXPECT_EQ(core.Call("").kind, Kind::kUnknown);
  EXPECT_EQ(core.Call("Tick").kind, Kind::kUnknown);
}

TEST_F(CoreTest, CallsWithArgumentsOfTheirOwn) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Core::CallAnswer answer = core.Call("Keep(value=7)");
  EXPECT_EQ(answer.kind, Kind::kDone);
  EXPECT_EQ(answer.rendered, "Keep(value=7)");
  EXPECT_EQ(StateOf(core).kept, 7u);
  EXPECT_EQ(core.live().Ask("kept"), "7");
  EXPECT_EQ(core.live().Ask("said"), std::nullopt);
  EXPECT_EQ(core.Call("Keep(value=77)").kind, Kind::kUnknown);
  EXPECT_EQ(core.Call("Keep(value=9)").kind, Kind::kUnknown) << "it is no valid action";
  EXPECT_EQ(core.Call("Tick(value=7)").kind, Kind::kUnknown);
}

TEST_F(CoreTest, OwnMessagesAreStampedAndQueued) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  core.Call("Say");
  EXPECT_EQ(core.outgoing().size(), 2u);
  EXPECT_EQ(core.outgoing()[0].stamp.seq, 1u);
  EXPECT_EQ(StateOf(core).count, 0u);
  EXPECT_TRUE(core.ReceiveOwn());
  EXPECT_FALSE(core.ReceiveOwn());
  EXPECT_EQ(StateOf(core).count, 1u);
}

TEST_F(CoreTest, TakesEachMessageOnceAndNoGarbage) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  core.Receive(From(1, 1, Word(1)));
  core.Receive(From(1, 1, Word(1)));
  core.Receive(From(1, 2, "no message"));
  EXPECT_EQ(StateOf(core).count, 1u);
  EXPECT_EQ(stats_.duplicates, 1u);
  EXPECT_EQ(stats_.invalid_body, 1u);
}

TEST_F(CoreTest, HigherNumbersForceACheckpointFirst) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const std::string body = Word(1);
  Envelope envelope = From(1, 1, body);
  envelope.stamp.checkpoint = 9;
  core.Receive(envelope);
  EXPECT_EQ(core.number(), 9u);
  EXPECT_EQ(stats_.checkpoints, 1u);
  const auto checkpoint = core.Request(9);
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(model::Decode<Relay::State>((*checkpoint)->state.body)->count, 0u);
}

TEST_F(CoreTest, WithoutCheckpointsEverythingIsTaken) {
  const auto service = MakeRelay({});
  Core::Options options = Options();
  options.checkpoints = false;
  Core core(*service, service->InitialState(NodeId(0)), options, stats_);
  core.Receive(From(1, 1, Word(1)));
  core.Receive(From(1, 1, Word(1)));
  EXPECT_EQ(StateOf(core).count, 2u);
  EXPECT_FALSE(core.Request(1).ok());
  core.Announce(NodeId(1));
  core.Call("Say");
  EXPECT_EQ(core.outgoing()[0].stamp, snapshot::Stamp{});
}

TEST_F(CoreTest, AnnouncesAgainWhereNothingElseWasSaid) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  core.AnnounceAgain();
  const size_t peers = service->node_count() - 1;
  ASSERT_EQ(core.outgoing().size(), peers);
  EXPECT_EQ(core.outgoing()[0].kind, EnvelopeKind::kAnnouncement);
  core.Call("Say");
  const size_t said = core.outgoing().size() - peers;
  ASSERT_GT(said, 0u);
  core.outgoing().clear();
  core.AnnounceAgain();
  EXPECT_EQ(core.outgoing().size(), peers - said) << "a message announces its epoch";
}

TEST_F(CoreTest, AFailedHandlerEndsTheNode) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  core.Call("Fail");
  EXPECT_THAT(core.failure(), HasSubstr("asked to fail"));
  core.Receive(From(1, 1, Word(1)));
  EXPECT_EQ(stats_.events, 1u);
}

TEST_F(CoreTest, DropsTheFilteredMessageWhileTheLeaseLasts) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Event event{EventKind::kDeliver, NodeId(1), Word(1)};
  ASSERT_TRUE(core.SetFilters(kAgent, {FilterOn(FilterKind::kDrop, event)}).ok());
  core.Receive(From(2, 1, Word(1)));  // Another sender.
  core.Receive(From(1, 1, Word(2)));  // Another body.
  core.Receive(From(1, 2, Word(1)));
  EXPECT_EQ(StateOf(core).count, 2u);
  EXPECT_EQ(stats_.vetoed, 1u);
  ASSERT_EQ(core.Counters().hits.size(), 1u);
  EXPECT_EQ(core.Counters().hits[0].count, 1u);
  // It counts as received.
  core.Receive(From(1, 2, Word(1)));
  EXPECT_EQ(stats_.duplicates, 1u);
  now_ += milliseconds(100);
  core.Receive(From(1, 3, Word(1)));
  EXPECT_EQ(StateOf(core).count, 3u);
  EXPECT_TRUE(core.Counters().hits.empty());
}

TEST_F(CoreTest, ShadowFiltersOnlyCount) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Event event{EventKind::kDeliver, NodeId(1), Word(1)};
  ASSERT_TRUE(core.SetFilters(kAgent, {FilterOn(FilterKind::kDrop, event, Mode::kShadow)}).ok());
  core.Receive(From(1, 1, Word(1)));
  EXPECT_EQ(StateOf(core).count, 1u);
  EXPECT_EQ(stats_.vetoed, 0u);
  EXPECT_EQ(stats_.shadowed, 1u);
}

TEST_F(CoreTest, RefusesTheFilteredCall) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Event event{EventKind::kAction, NodeId(0), ActionBody(Relay::Lock{})};
  ASSERT_TRUE(core.SetFilters(kAgent, {FilterOn(FilterKind::kRefuse, event)}).ok());
  const Core::CallAnswer answer = core.Call("Lock");
  EXPECT_EQ(answer.kind, Kind::kRefused);
  EXPECT_EQ(answer.decision, "d1");
  EXPECT_FALSE(StateOf(core).locked);
  ASSERT_TRUE(core.SetFilters(kAgent, {}).ok());
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
}

TEST_F(CoreTest, PostponesTheFilteredTimer) {
  const auto service = MakeRelay({.ticks_max = 5});
  Core core = MakeCore(*service);
  const std::string tick = ActionBody(Relay::Tick{1});
  const Event event{EventKind::kAction, NodeId(0), tick};
  ASSERT_TRUE(core.SetFilters(kAgent, {FilterOn(FilterKind::kPostpone, event)}).ok());
  EXPECT_EQ(core.Fire(tick), now_ + milliseconds(100));
  now_ += milliseconds(100);
  EXPECT_EQ(core.Fire(tick), std::nullopt);
  EXPECT_EQ(StateOf(core).ticks, 1u);
  // No longer enabled.
  EXPECT_EQ(core.Fire(tick), std::nullopt);
  EXPECT_EQ(stats_.timers, 1u);
}

TEST_F(CoreTest, ResetsTheStreamOfTheFilteredMessage) {
  const auto service = MakeRelay({.streams = true});
  Core core = MakeCore(*service);
  const Event event{EventKind::kDeliver, NodeId(1), Word(1)};
  ASSERT_TRUE(core.SetFilters(kAgent, {FilterOn(FilterKind::kReset, event)}).ok());
  core.Receive(From(1, 1, Word(1)));
  EXPECT_THAT(resets_, ElementsAre(NodeId(1)));
  EXPECT_EQ(StateOf(core).breaks, 1u);
  EXPECT_EQ(StateOf(core).count, 0u);
}

TEST_F(CoreTest, ResetsAStreamWithAGap) {
  const auto service = MakeRelay({.streams = true});
  Core core = MakeCore(*service);
  core.Receive(From(1, 1, Word(1)));
  core.Receive(From(1, 3, Word(3)));
  EXPECT_THAT(resets_, ElementsAre(NodeId(1)));
  EXPECT_EQ(stats_.gaps, 1u);
  // Nothing more is taken from a stream that was reset.
  core.Receive(From(1, 2, Word(2)));
  EXPECT_EQ(StateOf(core).count, 1u);
}

TEST_F(CoreTest, AcknowledgesStreamsNowAndThen) {
  const auto service = MakeRelay({.streams = true});
  Core core = MakeCore(*service);
  for (uint32_t seq = 1; seq <= 64; ++seq) core.Receive(From(1, seq, Word(seq)));
  ASSERT_EQ(core.outgoing().size(), 1u);
  EXPECT_EQ(core.outgoing()[0].kind, EnvelopeKind::kAcknowledgement);
  EXPECT_EQ(core.outgoing()[0].stamp.seq, 64u);
}

TEST_F(CoreTest, ALostStreamTakesWhatWasToGoOut) {
  const auto service = MakeRelay({.streams = true});
  Core core = MakeCore(*service);
  core.Call("Say");
  core.OnOutgoingBroken(NodeId(1));
  ASSERT_EQ(core.outgoing().size(), 1u);
  EXPECT_EQ(core.outgoing()[0].to, NodeId(2));
}

TEST_F(CoreTest, RefusesFiltersThatCannotWork) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Event message{EventKind::kDeliver, NodeId(1), Word(1)};
  const Event call{EventKind::kAction, NodeId(0), ActionBody(Relay::Lock{})};
  const Event garbage{EventKind::kDeliver, NodeId(1), "?"};
  Filter elsewhere = FilterOn(FilterKind::kDrop, message);
  elsewhere.node = NodeId(2);
  Filter endless = FilterOn(FilterKind::kDrop, message);
  endless.lease = std::chrono::hours(25);
  for (const Filter& bad :
       {FilterOn(FilterKind::kReset, message), FilterOn(FilterKind::kDrop, call),
        FilterOn(FilterKind::kPostpone, call), FilterOn(FilterKind::kRefuse, message),
        FilterOn(FilterKind::kDrop, garbage), FilterOn(FilterKind::kDrop, message, Mode::kObserve),
        elsewhere, endless}) {
    EXPECT_EQ(core.SetFilters(kAgent, {bad}).code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(core.SetFilters(kAgent, std::vector<Filter>(1025, FilterOn(FilterKind::kDrop, message)))
                .code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(CoreTest, RenewedFiltersKeepTheirCount) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  const Filter filter = FilterOn(FilterKind::kDrop, {EventKind::kDeliver, NodeId(1), Word(1)});
  ASSERT_TRUE(core.SetFilters(kAgent, {filter}).ok());
  core.Receive(From(1, 1, Word(1)));
  ASSERT_TRUE(core.SetFilters(kAgent, {filter}).ok());
  core.Receive(From(1, 2, Word(1)));
  EXPECT_EQ(core.Counters().hits[0].count, 2u);
}

TEST_F(CoreTest, ImmediateCheckVetoesWhatWouldViolateNow) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  ASSERT_TRUE(core.SetSafetyCut(kAgent, LockedElsewhere(*service, Mode::kEnforce)).ok());
  EXPECT_EQ(core.Call("Say").kind, Kind::kDone);
  const Core::CallAnswer answer = core.Call("Lock");
  EXPECT_EQ(answer.kind, Kind::kRefused);
  EXPECT_EQ(answer.decision, "immediate-check");
  EXPECT_FALSE(StateOf(core).locked);
  EXPECT_EQ(StateOf(core).said, 1u);
  EXPECT_EQ(core.Counters().vetoed, 1u);
  EXPECT_EQ(core.Counters().immediate_vetoed, 1u);
  // The lease is over: everything runs as if there were no agent.
  now_ += milliseconds(100);
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
  EXPECT_TRUE(StateOf(core).locked);
}

TEST_F(CoreTest, ImmediateCheckInShadowOnlyCounts) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  ASSERT_TRUE(core.SetSafetyCut(kAgent, LockedElsewhere(*service, Mode::kShadow)).ok());
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
  EXPECT_TRUE(StateOf(core).locked);
  EXPECT_EQ(core.Counters().immediate_shadowed, 1u);
  // It is broken already: nothing new is found.
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
  EXPECT_EQ(core.Counters().immediate_shadowed, 1u);
}

// Node 1 may have given the lock back since the cut.
TEST_F(CoreTest, ImmediateCheckVetoesNothingForWhatMayHaveChanged) {
  const auto service = MakeRelay({.lock_lasts = false});
  Core core = MakeCore(*service);
  ASSERT_TRUE(core.SetSafetyCut(kAgent, LockedElsewhere(*service, Mode::kEnforce)).ok());
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
  EXPECT_EQ(core.Counters().immediate_vetoed, 0u);
  EXPECT_EQ(core.Counters().immediate_shadowed, 1u);
}

TEST_F(CoreTest, ImmediateCheckIgnoresNodesThatAreNotThere) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  snapshot::SafetyCut cut = LockedElsewhere(*service, Mode::kEnforce);
  cut.cut.nodes[1].status = model::NodeStatus::kAbsent;
  ASSERT_TRUE(core.SetSafetyCut(kAgent, cut).ok());
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
}

TEST_F(CoreTest, RefusesSafetyCutsOfAnotherService) {
  const auto service = MakeRelay({});
  Core core = MakeCore(*service);
  snapshot::SafetyCut cut = LockedElsewhere(*service, Mode::kEnforce);
  cut.cut.nodes[1].body = "?";
  EXPECT_FALSE(core.SetSafetyCut(kAgent, cut).ok());
  cut = LockedElsewhere(*service, Mode::kEnforce);
  cut.cut.nodes.pop_back();
  EXPECT_FALSE(core.SetSafetyCut(kAgent, cut).ok());
  cut = LockedElsewhere(*service, Mode::kEnforce);
  cut.modes = {{"no-such-invariant", Mode::kEnforce}};
  EXPECT_FALSE(core.SetSafetyCut(kAgent, cut).ok());
  EXPECT_EQ(core.Call("Lock").kind, Kind::kDone);
}

}  // namespace
}  // namespace foretell::integration::sdk
