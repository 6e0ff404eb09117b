#include "foretell/snapshot/wire/convert.h"

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace foretell::snapshot {
namespace {

using model::FaultKind;
using model::NodeId;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

const std::string kBytes("\0a\xff", 3);

// What comes back of `value` through a message.
template <class Wire, class T>
T Through(const T& value) {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<Wire>();
  Put(value, root);
  T back;
  EXPECT_EQ(Get(root.asReader(), back), absl::OkStatus());
  return back;
}

// The complaint about a message that `spoil` has spoilt.
template <class T, class Wire, class F>
std::string Complaint(F&& spoil) {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<Wire>();
  Put(T{}, root);
  spoil(root);
  T back;
  const absl::Status status = Get(root.asReader(), back);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

model::SystemCut SomeCut() {
  return {{{model::NodeStatus::kUp, {{FaultKind::kBreak, 1}}, kBytes},
           {model::NodeStatus::kDown, {{FaultKind::kCrash, 255}}, "left"},
           {model::NodeStatus::kFailed, {{FaultKind::kCrash, 1}}, "broke"},
           {model::NodeStatus::kAbsent, {}, ""}},
          {{NodeId(0), NodeId(3), kBytes}, {NodeId(2), NodeId(2), ""}}};
}

std::vector<KnownAgent> SomeAgents() {
  return {{{"east", "17-ab-", {{"a", Mode::kGuard}, {"b", Mode::kShadow}}},
           true,
           milliseconds(12'000),
           3,
           milliseconds(4'999)},
          {}};
}

Filter SomeFilter() {
  return {"d-1",
          "agreement",
          FilterKind::kPostpone,
          Mode::kShadow,
          NodeId(2),
          {model::EventKind::kDeliver, NodeId(1), kBytes},
          milliseconds(1500)};
}

Checkpoint SomeCheckpoint() {
  return {NodeId(1),
          7,
          {model::NodeStatus::kUp, {{FaultKind::kCrash, 1}}, kBytes},
          {{NodeId(0), 3, 9, {{8, kBytes, 5}, {9, "", 6}}}, {NodeId(2), 1, 0, {}}},
          {{NodeId(0), 2, 40, {35, 38}, false}, {NodeId(2), 4, 1, {}, true}},
          3,
          2};
}

TEST(ConvertTest, KindsComeBack) {
  for (const model::FaultKindInfo& fault : model::kFaults) {
    const model::NodeState state{.faults = {{fault.kind, 7}}};
    EXPECT_EQ((Through<wire::NodeState>(state)), state) << fault.used;
  }
  for (const model::EventKindInfo& kind : model::kEventKinds) {
    const model::Event event{.kind = kind.kind};
    EXPECT_EQ((Through<wire::Event>(event)), event) << kind.name;
  }
}

TEST(ConvertTest, CutComesBack) {
  EXPECT_EQ((Through<wire::Cut>(SomeCut())), SomeCut());
  EXPECT_EQ((Through<wire::Cut>(model::SystemCut{})), model::SystemCut{});
}

TEST(ConvertTest, StepComesBackWhateverItsKind) {
  for (int kind = 0; kind <= static_cast<int>(model::EventKind::kBreak); ++kind) {
    const model::PathStep step{
        NodeId(65535), {static_cast<model::EventKind>(kind), NodeId(4), kBytes}, {0, UINT32_MAX}};
    EXPECT_EQ((Through<wire::PathStep>(step)), step);
  }
}

TEST(ConvertTest, CheckpointComesBack) {
  EXPECT_EQ((Through<wire::Checkpoint>(SomeCheckpoint())), SomeCheckpoint());
}

// Each number of T by its name in the schema; none other is there, but those of `apart`.
template <class Wire, class T>
void ExpectNumbers(const T& value, std::set<std::string> apart) {
  const capnp::StructSchema schema = capnp::Schema::from<Wire>();
  std::set<std::string> expected = std::move(apart);
  T::Numbers(value, [&](const char* name, auto) { EXPECT_TRUE(expected.insert(name).second); });
  std::set<std::string> numbers;
  for (const auto field : schema.getFields()) {
    const capnp::Type type = field.getType();
    if (type.isUInt32() || type.isUInt64() || type.isBool()) {
      numbers.insert(field.getProto().getName().cStr());
    }
  }
  EXPECT_EQ(numbers, expected);
}

TEST(ConvertTest, NoNumberOfTheSchemaIsForgotten) {
  ExpectNumbers<wire::Checkpoint>(Checkpoint{}, {"node"});
  ExpectNumbers<wire::Outbox>(Outbox{}, {"to"});
  ExpectNumbers<wire::Inbox>(Inbox{}, {"from"});
}

std::string Flat(capnp::MessageBuilder& message) {
  const auto words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  return {reinterpret_cast<const char*>(bytes.begin()), bytes.size()};
}

// Field by field, as any other program would write it.
TEST(ConvertTest, CheckpointIsWrittenByteForByte) {
  capnp::MallocMessageBuilder expected;
  auto root = expected.initRoot<wire::Checkpoint>();
  root.setNode(1);
  root.setNumber(7);
  root.setLife(3);
  root.setFloor(2);
  Put(SomeCheckpoint().state, root.initState());
  auto sent = root.initSent(2);
  sent[0].setEpoch(3);
  sent[0].setLast(9);
  auto recent = sent[0].initRecent(2);
  recent[0].setSeq(8);
  recent[0].setBody({reinterpret_cast<const kj::byte*>(kBytes.data()), kBytes.size()});
  recent[0].setCheckpoint(5);
  recent[1].setSeq(9);
  recent[1].setBody({});
  recent[1].setCheckpoint(6);
  sent[1].setTo(2);
  sent[1].setEpoch(1);
  sent[1].initRecent(0);
  auto received = root.initReceived(2);
  received[0].setEpoch(2);
  received[0].setHigh(40);
  auto missing = received[0].initMissing(2);
  missing.set(0, 35);
  missing.set(1, 38);
  received[1].setFrom(2);
  received[1].setEpoch(4);
  received[1].setHigh(1);
  received[1].initMissing(0);
  received[1].setClosed(true);
  capnp::MallocMessageBuilder message;
  Put(SomeCheckpoint(), message.initRoot<wire::Checkpoint>());
  EXPECT_EQ(Flat(message), Flat(expected));
}

TEST(ConvertTest, FilterComesBackWhateverItsKindAndMode) {
  for (int kind = 0; kind <= static_cast<int>(FilterKind::kLast); ++kind) {
    for (int mode = 0; mode <= static_cast<int>(Mode::kLast); ++mode) {
      Filter filter = SomeFilter();
      filter.kind = static_cast<FilterKind>(kind);
      filter.mode = static_cast<Mode>(mode);
      EXPECT_EQ((Through<wire::Filter>(filter)), filter);
    }
  }
}

// By number: what ours are called, and what the schema calls them.
template <class Ours>
std::vector<std::string> OurNames(const char* (*name)(Ours)) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Ours::kLast); ++i) {
    names.emplace_back(name(static_cast<Ours>(i)));
  }
  return names;
}
template <class Wire>
std::vector<std::string> WireNames() {
  std::vector<std::string> names;
  for (const auto enumerant : capnp::Schema::from<Wire>().getEnumerants()) {
    names.emplace_back(enumerant.getProto().getName().cStr());
  }
  return names;
}

TEST(ConvertTest, EnumeratorsHaveTheSchemasNamesAndNumbers) {
  EXPECT_EQ(OurNames(FilterKindName), WireNames<wire::FilterKind>());
  EXPECT_EQ(OurNames(ModeName), WireNames<wire::Mode>());
}

TEST(ConvertTest, NodeInfoComesBack) {
  const NodeInfo info{3, "paxos", "two", "", "1.2", NodeId(2), 5, UINT64_MAX};
  const NodeInfo back = Through<wire::NodeInfo>(info);
  EXPECT_EQ(back.protocol, 3u);
  EXPECT_EQ(back.service, "paxos");
  EXPECT_EQ(back.scenario, "two");
  EXPECT_EQ(back.bug, "");
  EXPECT_EQ(back.version, "1.2");
  EXPECT_EQ(back.node, NodeId(2));
  EXPECT_EQ(back.node_count, 5u);
  EXPECT_EQ(back.checkpoint, UINT64_MAX);
}

TEST(ConvertTest, CountersComeBack) {
  const NodeCounters counters{
      1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, {{"d", Mode::kShadow, 10}}, SomeAgents()};
  const NodeCounters back = Through<wire::NodeCounters>(counters);
  EXPECT_EQ(back.events, 1u);
  EXPECT_EQ(back.checkpoints, 2u);
  EXPECT_EQ(back.checkpoint_nanos, 3u);
  EXPECT_EQ(back.checkpoint_bytes, 4u);
  EXPECT_EQ(back.vetoed, 6u);
  EXPECT_EQ(back.shadowed, 7u);
  EXPECT_EQ(back.immediate_vetoed, 8u);
  EXPECT_EQ(back.immediate_shadowed, 9u);
  ASSERT_EQ(back.hits.size(), 1u);
  EXPECT_EQ(back.hits[0].decision, "d");
  EXPECT_EQ(back.hits[0].mode, Mode::kShadow);
  EXPECT_EQ(back.hits[0].count, 10u);
  EXPECT_EQ(back.agents, SomeAgents());
}

TEST(ConvertTest, AgentsThatCannotBeAreRefused) {
  EXPECT_THAT((Complaint<AgentIdentity, wire::AgentIdentity>(
                  [](auto root) { root.setName(std::string(kAgentNameMax + 1, 'n').c_str()); })),
              HasSubstr("257 bytes of an agent's name, at most 256"));
  EXPECT_THAT((Complaint<AgentIdentity, wire::AgentIdentity>([](auto root) {
                auto modes = root.initModes(2);
                for (auto mode : modes) mode.setInvariant("twice");
              })),
              HasSubstr("invariant 'twice' has two modes"));
  EXPECT_THAT((Complaint<NodeCounters, wire::NodeCounters>(
                  [](auto root) { root.initAgents(1)[0].setKnownMillis(UINT64_MAX); })),
              HasSubstr("milliseconds of an agent"));
}

TEST(ConvertTest, SafetyCutComesBack) {
  const SafetyCut cut{4, SomeCut(), {{"a", Mode::kShadow}, {"b", Mode::kEnforce}}, milliseconds(9)};
  const SafetyCut back = Through<wire::SafetyCut>(cut);
  EXPECT_EQ(back.number, 4u);
  EXPECT_EQ(back.cut, SomeCut());
  EXPECT_EQ(back.modes, cut.modes);
  EXPECT_EQ(back.lease, milliseconds(9));
}

TEST(ConvertTest, ReadingReplacesWhatWasThere) {
  capnp::MallocMessageBuilder message;
  auto root = message.initRoot<wire::Checkpoint>();
  Put(SomeCheckpoint(), root);
  Checkpoint back = SomeCheckpoint();
  ASSERT_EQ(Get(root.asReader(), back), absl::OkStatus());
  EXPECT_EQ(back, SomeCheckpoint());
}

TEST(ConvertTest, RefusesUnknownEnumerators) {
  EXPECT_THAT((Complaint<model::NodeState, wire::NodeState>(
                  [](auto root) { root.setStatus(static_cast<wire::NodeStatus>(4)); })),
              HasSubstr("node status 4"));
  EXPECT_THAT((Complaint<model::Event, wire::Event>(
                  [](auto root) { root.setKind(static_cast<wire::EventKind>(5)); })),
              HasSubstr("event kind 5"));
  EXPECT_THAT((Complaint<Filter, wire::Filter>(
                  [](auto root) { root.setKind(static_cast<wire::FilterKind>(65535)); })),
              HasSubstr("filter kind 65535"));
  EXPECT_THAT((Complaint<Filter, wire::Filter>(
                  [](auto root) { root.setMode(static_cast<wire::Mode>(9)); })),
              HasSubstr("mode 9"));
}

TEST(ConvertTest, RefusesNumbersThatCannotBe) {
  EXPECT_THAT((Complaint<model::Event, wire::Event>([](auto root) { root.setPeer(65536); })),
              HasSubstr("peer 65536"));
  EXPECT_THAT((Complaint<Checkpoint, wire::Checkpoint>([](auto root) { root.setNode(70000); })),
              HasSubstr("node 70000"));
  EXPECT_THAT((Complaint<model::SystemCut, wire::Cut>(
                  [](auto root) { root.initInFlight(1)[0].setTo(UINT32_MAX); })),
              HasSubstr("receiver 4294967295"));
  EXPECT_THAT((Complaint<Filter, wire::Filter>([](auto root) { root.setLeaseMillis(1ull << 63); })),
              HasSubstr("9223372036854775808 ms"));
  EXPECT_THAT((Complaint<Checkpoint, wire::Checkpoint>(
                  [](auto root) { root.initReceived(1)[0].initMissing(65); })),
              HasSubstr("65 missing messages, at most 64"));
  EXPECT_THAT((Complaint<NodeInfo, wire::NodeInfo>([](auto root) { root.setNodeCount(65537); })),
              HasSubstr("65537 nodes"));
  EXPECT_THAT((Complaint<model::SystemCut, wire::Cut>([](auto root) { root.initNodes(65537); })),
              HasSubstr("65537 nodes"));
  EXPECT_THAT((Complaint<SafetyCut, wire::SafetyCut>([](auto root) {
                auto modes = root.initModes(2);
                modes[0].setInvariant("same");
                modes[1].setInvariant("same");
              })),
              HasSubstr("'same' has two modes"));
}

// Puts a list where `root` has its pointer `index` that takes no room in the message.
template <class Builder>
void PutNothing(Builder root, unsigned index, unsigned count) {
  capnp::AnyStruct::Builder any = capnp::toAny(root);
  any.getPointerSection()[index].initAs<capnp::List<capnp::Void>>(count);
}

TEST(ConvertTest, RefusesListsOfNothingBeforeTheyTakeMemory) {
  constexpr unsigned kMany = 8'000'000;
  EXPECT_THAT(
      (Complaint<NodeCounters, wire::NodeCounters>([](auto root) { PutNothing(root, 0, kMany); })),
      HasSubstr("8000000 filters, at most 1024"));
  EXPECT_THAT(
      (Complaint<model::SystemCut, wire::Cut>([](auto root) { PutNothing(root, 1, kMany); })),
      HasSubstr("8000000 messages in flight, at most 1048576"));
  EXPECT_THAT(
      (Complaint<Checkpoint, wire::Checkpoint>([](auto root) { PutNothing(root, 1, kMany); })),
      HasSubstr("8000000 outboxes, at most 65536"));
  EXPECT_THAT((Complaint<Checkpoint, wire::Checkpoint>([](auto root) {
                auto sent = root.initSent(2);
                for (auto outbox : sent) PutNothing(outbox, 0, kMany / 10);
              })),
              HasSubstr("1600000 messages kept, at most 1048576"));
}

std::string ComplaintAbout(const std::vector<Filter>& filters) {
  capnp::MallocMessageBuilder message;
  auto list = message.initRoot<capnp::AnyPointer>().initAs<capnp::List<wire::Filter>>(
      static_cast<unsigned>(filters.size()));
  for (unsigned i = 0; i < list.size(); ++i) Put(filters[i], list[i]);
  std::vector<Filter> back;
  const absl::Status status = Get(list.asReader(), back);
  EXPECT_EQ(status.ok(), back == filters);
  return std::string(status.message());
}

TEST(ConvertTest, RefusesMoreFiltersThanANodeTakes) {
  EXPECT_EQ(ComplaintAbout({kFiltersMax, SomeFilter()}), "");
  EXPECT_THAT(ComplaintAbout({kFiltersMax + 1, SomeFilter()}), HasSubstr("1025 filters"));
  Filter filter = SomeFilter();
  filter.decision = std::string(kFilterNameMax + 1, 'd');
  EXPECT_THAT(ComplaintAbout({filter}), HasSubstr("257 bytes of a decision's name, at most 256"));
  filter = SomeFilter();
  filter.invariant = std::string(kFilterNameMax + 1, 'i');
  EXPECT_THAT(ComplaintAbout({filter}), HasSubstr("257 bytes of an invariant's name"));
  filter = SomeFilter();
  filter.event.body = std::string(kFilterBytesMax / 2, 'b');
  EXPECT_EQ(ComplaintAbout({2, filter}), "");
  EXPECT_THAT(ComplaintAbout({3, filter}), HasSubstr("6291456 bytes of filters, at most 4194304"));
}

// Whatever the bytes are, reading ends with a value or a complaint.
TEST(ConvertTest, SurvivesMalformedMessages) {
  capnp::MallocMessageBuilder message;
  Put(SomeCheckpoint(), message.initRoot<wire::Checkpoint>());
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  std::mt19937_64 random(1);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    auto copy = kj::heapArray<capnp::word>(words.size());
    kj::ArrayPtr<kj::byte> bytes = copy.asBytes();
    std::copy(words.asBytes().begin(), words.asBytes().end(), bytes.begin());
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      bytes[random() % bytes.size()] ^= static_cast<kj::byte>(1u << random() % 8);
    }
    const absl::Status status = GuardRead([&] {
      capnp::FlatArrayMessageReader reader(copy);
      Checkpoint back;
      return Get(reader.getRoot<wire::Checkpoint>(), back);
    });
    refused += status.ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace foretell::snapshot
