// Files that may have been written by another version, on another machine, or by nobody of ours:
// archives with their indexes, bundles, the store of a node.

#include "foretell/integration/sdk/node/store.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/storage/compress.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/tests/fuzz/samples.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using snapshot::FaultyFileSystem;
using snapshot::FrameKind;

constexpr char kArchive[] = "/d/cuts.ftl";
constexpr char kBundle[] = "/d/a.bundle";

// The first byte: the rest is the file, or parts that become frames whose checksums fit.
constexpr char kRaw = 0;
constexpr char kFramed = 1;

std::string Frames(Input& input, FrameKind kind) {
  std::string file;
  do {
    const std::string summary = input.Part();
    const std::string message = input.Part();
    file += snapshot::MakeFrame({.kind = kind, .number = file.size()}, summary,
                                snapshot::Compress(message));
  } while (!input.empty());
  return file;
}

std::string FileOf(const std::string& bytes, FrameKind kind) {
  Input input(bytes);
  return input.Byte() % 2 == kRaw ? input.Rest() : Frames(input, kind);
}

// `file`, a single frame, in the parts of which Frames would make it again.
std::string Parts(const std::string& file) {
  const auto header = *snapshot::ParseFrameHeader(file);
  const std::string body = file.substr(snapshot::kFrameHeaderBytes);
  const std::string payload = body.substr(header.summary_bytes);
  return AsPart(body.substr(0, header.summary_bytes)) +
         AsPart(*snapshot::Decompress(payload, 1 << 20));
}

std::vector<std::string> SeedsOf(const std::string& file) {
  return {kRaw + file, kFramed + Parts(file), kFramed + Parts(file) + Parts(file)};
}

}  // namespace

void RunArchive(const std::string& bytes) {
  FaultyFileSystem files;
  PutFile(files, kArchive, FileOf(bytes, FrameKind::kSnapshot));
  if (const auto reader = snapshot::ArchiveReader::Open(kArchive, files); reader.ok()) {
    for (const auto& entry : (*reader)->entries()) {
      static_cast<void>((*reader)->Load(entry));
      static_cast<void>((*reader)->LoadMessage(entry));
    }
  }
  if (const auto writer = snapshot::ArchiveWriter::Open(kArchive, {}, files); writer.ok()) {
    static_cast<void>((*writer)->Append(SampleRecorded()));
  }
}

std::vector<std::string> ArchiveSeeds() {
  FaultyFileSystem files;
  static_cast<void>(
      (*snapshot::ArchiveWriter::Open(kArchive, {}, files))->Append(SampleRecorded()));
  return SeedsOf(FileBytes(files, kArchive));
}

void RunBundle(const std::string& bytes) {
  FaultyFileSystem files;
  PutFile(files, kBundle, FileOf(bytes, FrameKind::kBundle));
  const auto bundle = snapshot::ReadBundle(kBundle, files);
  if (bundle.ok()) static_cast<void>(snapshot::WriteBundle(kBundle, *bundle, files));
}

std::vector<std::string> BundleSeeds() {
  const model::PathStep step{model::NodeId(1), SampleFilter().event, {0, 2}};
  auto death = std::make_shared<model::Death>();
  death->critical_step = 1;
  death->lost = SampleCut().in_flight;
  death->twin = {step, step};
  death->cures.push_back({.step = step, .text = "deliver it"});
  snapshot::Bundle bundle{.recorded = SampleRecorded(),
                          .imagined = SampleCut(),
                          .focus = SampleCut(),
                          .invariant = "agreement",
                          .path = {step},
                          .engine = "lmc",
                          .plan = {SampleFilter()},
                          .death = death,
                          .plugins = {"exec:toy"},
                          .earlier = {SampleRecorded()}};
  FaultyFileSystem files;
  static_cast<void>(snapshot::WriteBundle(kBundle, bundle, files));
  return SeedsOf(FileBytes(files, kBundle));
}

void RunStore(const std::string& bytes) {
  FaultyFileSystem files;
  static_cast<void>(files.MakeDirectory("/d/store", 0700));
  PutFile(files, "/d/store/wal", bytes);
  auto store = integration::sdk::Store::Open("/d/store", "node 0", files);
  if (!store.ok()) return;
  (*store)->SetEpoch((*store)->recovered().epoch + 1);
  static_cast<void>((*store)->Sync());
}

std::vector<std::string> StoreSeeds() {
  FaultyFileSystem files;
  auto store = *integration::sdk::Store::Open("/d/store", "node 0", files);
  store->SetEpoch(3);
  store->SetNumber(17);
  store->SetSurvivor("a state");
  store->SetGuard("a mark");
  static_cast<void>(store->Sync());
  return {FileBytes(files, "/d/store/wal")};
}

}  // namespace foretell::fuzz
