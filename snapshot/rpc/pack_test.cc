#include "foretell/snapshot/rpc/pack.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {
namespace {

using absl::StatusCode;
using testing::HasSubstr;
using Form = PackedCheckpoint::Form;

constexpr size_t kSizeMax = 1 << 20;

Checkpoint Example(uint64_t number, const std::string& body) {
  Checkpoint checkpoint;
  checkpoint.node = model::NodeId(2);
  checkpoint.number = number;
  checkpoint.state.body = body;
  checkpoint.sent.push_back({model::NodeId(0), 3, 1, {{1, "x"}}});
  return checkpoint;
}

CheckpointUnpacker Unpacker(uint32_t node = 2, size_t size_max = kSizeMax) {
  return CheckpointUnpacker(model::NodeId(node), {.message_bytes_max = size_max});
}

TEST(RpcPackTest, WholeThenUnchangedThenDelta) {
  CheckpointPacker packer(kSizeMax);
  CheckpointUnpacker unpacker(model::NodeId(2), {});
  const std::pair<const char*, Form> steps[] = {
      {"one", Form::kWhole}, {"one", Form::kUnchanged}, {"two", Form::kDelta}};
  uint64_t number = 10;
  for (const auto& [body, form] : steps) {
    const Checkpoint sent = Example(number++, body);
    const auto last = unpacker.last();
    const auto packed = packer.Pack(sent, last->hash);
    ASSERT_TRUE(packed.ok()) << packed.status();
    EXPECT_EQ(packed->form, form) << body;
    const auto received = unpacker.Unpack(*packed, last);
    ASSERT_TRUE(received.ok()) << received.status();
    EXPECT_EQ(**received, sent);
  }
}

TEST(RpcPackTest, AnotherCollectorGetsAllOfIt) {
  CheckpointPacker packer(kSizeMax);
  ASSERT_TRUE(packer.Pack(Example(1, "one"), 0).ok());
  EXPECT_EQ(packer.Pack(Example(2, "two"), 0)->form, Form::kWhole);
  EXPECT_EQ(packer.Pack(Example(3, "three"), 4711)->form, Form::kWhole);
}

TEST(RpcPackTest, ADeltaNeedsWhatWasAskedWith) {
  CheckpointPacker packer(kSizeMax);
  CheckpointUnpacker unpacker = Unpacker();
  const auto nothing = unpacker.last();
  const auto whole = packer.Pack(Example(1, "one"), 0);
  ASSERT_TRUE(unpacker.Unpack(*whole, nothing).ok());
  const auto delta = packer.Pack(Example(2, "two"), whole->hash);
  ASSERT_EQ(delta->form, Form::kDelta);
  EXPECT_EQ(unpacker.Unpack(*delta, nothing).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(unpacker.Unpack(*delta, unpacker.last()).ok());
}

TEST(RpcPackTest, LimitsHoldOnBothSides) {
  const Checkpoint large = Example(1, std::string(10'000, 'x'));
  EXPECT_EQ(CheckpointPacker(5'000).Pack(large, 0).status().code(), StatusCode::kResourceExhausted);
  auto packed = *CheckpointPacker(kSizeMax).Pack(large, 0);
  CheckpointUnpacker small = Unpacker(2, 5'000);
  const absl::Status honest = small.Unpack(packed, small.last()).status();
  EXPECT_EQ(honest.code(), StatusCode::kResourceExhausted) << honest;
  EXPECT_THAT(honest.ToString(), HasSubstr("limit 5000"));
  packed.size = 100;
  EXPECT_EQ(small.Unpack(packed, small.last()).status().code(), StatusCode::kResourceExhausted);
}

TEST(RpcPackTest, NothingThatWasAnnouncedIsBelieved) {
  CheckpointUnpacker unpacker = Unpacker();
  const auto good = *CheckpointPacker(kSizeMax).Pack(Example(1, "one"), 0);
  const auto expect_refused = [&](PackedCheckpoint packed, const std::string& part) {
    const absl::Status status = unpacker.Unpack(packed, unpacker.last()).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(status.ToString(), HasSubstr(part));
  };
  PackedCheckpoint bad = good;
  bad.hash ^= 1;
  expect_refused(bad, std::to_string(good.hash ^ 1));
  bad = good;
  bad.size += 8;
  expect_refused(bad, std::to_string(good.size + 8));
  bad = good;
  bad.bytes.resize(bad.bytes.size() / 2);
  expect_refused(bad, "");
  bad = good;
  bad.form = Form::kUnchanged;
  expect_refused(bad, "unchanged");
  bad.hash = 0;
  expect_refused(bad, "unchanged");
  EXPECT_EQ(unpacker.last()->hash, 0u);
}

TEST(RpcPackTest, AnotherNodesCheckpointIsRefused) {
  CheckpointUnpacker unpacker = Unpacker(1);
  const auto packed = *CheckpointPacker(kSizeMax).Pack(Example(1, "one"), 0);
  const absl::Status status = unpacker.Unpack(packed, unpacker.last()).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(status.ToString(), HasSubstr("node 2"));
}

}  // namespace
}  // namespace foretell::snapshot
