#include "foretell/snapshot/archive/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::snapshot {
namespace {

using model::NodeId;
using ::testing::HasSubstr;

Bundle SampleBundle() {
  Bundle bundle{.recorded = SampleRecord(3),
                .imagined = SampleRecord(4).snapshot.cut,
                .focus = SampleRecord(5).snapshot.cut,
                .invariant = "agreement",
                .text = "nodes 0 and 1 chose differently",
                .engine = "lmc",
                .decision = "d-1",
                .command = "foretell replay x",
                .plan_text = "drop it"};
  bundle.path = {{NodeId(1), {model::EventKind::kDeliver, NodeId(0), std::string("\0m", 2)}, {2}},
                 {NodeId(0), {model::EventKind::kCrash, NodeId(0), ""}, {}}};
  bundle.plan = {{"d-1", "agreement", FilterKind::kDrop, Mode::kEnforce, NodeId(1),
                  bundle.path[0].event, std::chrono::seconds(10)}};
  return bundle;
}

std::string Complaint(const std::string& path) {
  const auto bundle = ReadBundle(path);
  EXPECT_FALSE(bundle.ok());
  EXPECT_THAT(std::string(bundle.status().message()), HasSubstr(path));
  return std::string(bundle.status().message());
}

TEST(BundleTest, ComesBack) {
  const TempFolder folder;
  const Bundle bundle = SampleBundle();
  ASSERT_EQ(WriteBundle(folder.File("b.ftb"), bundle), absl::OkStatus());
  const auto back = ReadBundle(folder.File("b.ftb"));
  ASSERT_TRUE(back.ok()) << back.status();
  ExpectSame(back->recorded, bundle.recorded);
  EXPECT_EQ(back->imagined, bundle.imagined);
  EXPECT_EQ(back->focus, bundle.focus);
  EXPECT_EQ(back->invariant, bundle.invariant);
  EXPECT_EQ(back->text, bundle.text);
  EXPECT_EQ(back->path, bundle.path);
  EXPECT_EQ(back->engine, bundle.engine);
  EXPECT_EQ(back->decision, bundle.decision);
  EXPECT_EQ(back->command, bundle.command);
  EXPECT_EQ(back->plan, bundle.plan);
  EXPECT_EQ(back->plan_text, bundle.plan_text);
  EXPECT_EQ(back->death, nullptr);
}

TEST(BundleTest, ADeathComesBack) {
  const TempFolder folder;
  Bundle bundle = SampleBundle();
  model::Death death;
  death.critical_step = 2;
  death.by_loss = true;
  death.lost = {{NodeId(1), NodeId(0), std::string("\0x", 2)}};
  death.twin = {bundle.path[0]};
  using Effect = model::Cure::Effect;
  death.cures = {{bundle.path[1], "restart node 0", Effect::kHelps, 7},
                 {bundle.path[1], "restart node 1", Effect::kNone},
                 {bundle.path[1], "restart node 2", Effect::kUnknown}};
  death.proof = {model::DeathProof::How::kLocal, 8, true};
  bundle.death = std::make_shared<model::Death>(death);
  ASSERT_EQ(WriteBundle(folder.File("b.ftb"), bundle), absl::OkStatus());
  const auto back = ReadBundle(folder.File("b.ftb"));
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_NE(back->death, nullptr);
  EXPECT_EQ(back->death->critical_step, 2u);
  EXPECT_TRUE(back->death->by_loss);
  EXPECT_EQ(back->death->lost, death.lost);
  EXPECT_EQ(back->death->twin, death.twin);
  ASSERT_EQ(back->death->cures.size(), 3u);
  EXPECT_EQ(back->death->cures[0].text, "restart node 0");
  EXPECT_EQ(back->death->cures[0].step, bundle.path[1]);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(back->death->cures[i].effect, death.cures[i].effect);
  }
  EXPECT_EQ(back->death->cures[0].steps, 7u);
  EXPECT_EQ(back->death->proof.how, model::DeathProof::How::kLocal);
  EXPECT_EQ(back->death->proof.states, 8u);
}

TEST(BundleTest, ReplacesAndLeavesNothingBehind) {
  const TempFolder folder;
  ASSERT_EQ(WriteBundle(folder.File("b.ftb"), {}), absl::OkStatus());
  ASSERT_EQ(WriteBundle(folder.File("b.ftb"), SampleBundle()), absl::OkStatus());
  EXPECT_EQ(ReadBundle(folder.File("b.ftb"))->invariant, "agreement");
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(BundleTest, FailureToWriteNamesThePath) {
  const absl::Status status = WriteBundle("/no-such-folder/b.ftb", {});
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("/no-such-folder/b.ftb"));
}

TEST(BundleTest, RefusesWhatIsNoBundle) {
  const TempFolder folder;
  const std::string path = folder.File("b.ftb");
  EXPECT_THAT(Complaint(path), HasSubstr("No such file"));
  EXPECT_THAT(Complaint(folder.path()), HasSubstr("is a directory"));
  WriteContents(path, "");
  EXPECT_THAT(Complaint(path), HasSubstr("is empty"));
  WriteContents(path, "PK\x03\x04 something else");
  EXPECT_THAT(Complaint(path), HasSubstr("not a file of foretell"));
  WriteContents(path, MakeFrame({.version = 9, .kind = FrameKind::kBundle}, "", "x"));
  EXPECT_THAT(Complaint(path), HasSubstr("format version 9, this build reads up to 1"));
  WriteContents(path, MakeFrame({.kind = FrameKind::kSnapshot}, "", "x"));
  EXPECT_THAT(Complaint(path), HasSubstr("is an archive of snapshots, a bundle is needed"));
  WriteContents(path, MakeFrame({.kind = FrameKind::kBundle}, "", "no zstd"));
  Complaint(path);
}

TEST(BundleTest, EveryTruncationIsRefused) {
  const TempFolder folder;
  const std::string path = folder.File("b.ftb");
  ASSERT_EQ(WriteBundle(path, SampleBundle()), absl::OkStatus());
  const std::string whole = Contents(path);
  for (size_t size = 0; size < whole.size(); ++size) {
    WriteContents(path, whole.substr(0, size));
    Complaint(path);
  }
  WriteContents(path, whole + "x");
  EXPECT_THAT(Complaint(path), HasSubstr("bytes after its header"));
}

// A changed byte is noticed by a checksum.
TEST(BundleTest, EveryChangeIsRefused) {
  const TempFolder folder;
  const std::string path = folder.File("b.ftb");
  ASSERT_EQ(WriteBundle(path, SampleBundle()), absl::OkStatus());
  const std::string whole = Contents(path);
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    const size_t at = random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8);
    WriteContents(path, bytes);
    Complaint(path);
  }
}

// Checksums keep out accidents, not malice: what they protect is not believed either.
TEST(BundleTest, SurvivesAnyMessageBehindAGoodChecksum) {
  const TempFolder folder;
  const std::string path = folder.File("b.ftb");
  ASSERT_EQ(WriteBundle(path, SampleBundle()), absl::OkStatus());
  const auto message =
      Decompress(ReadFrameFile(path, FrameKind::kBundle)->payload, size_t{1} << 20);
  ASSERT_TRUE(message.ok());
  std::mt19937_64 random(1);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = *message;
    for (uint64_t n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 8 == 0) bytes.resize(random() % bytes.size());
    WriteContents(path, MakeFrame({.kind = FrameKind::kBundle}, "", Compress(bytes)));
    refused += ReadBundle(path).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace foretell::snapshot
