#include "foretell/integration/sdk/node/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::integration::sdk {
namespace {

using ::testing::HasSubstr;

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::string pattern = ::testing::TempDir() + "storeXXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~StoreTest() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<Store> Open() {
    auto store = Store::Open(directory_, "owner");
    EXPECT_TRUE(store.ok()) << store.status();
    return store.ok() ? *std::move(store) : nullptr;
  }
  std::string Wal() const { return directory_ + "/wal"; }
  std::string Content() const {
    std::ifstream in(Wal(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void SetContent(const std::string& bytes) const {
    std::ofstream(Wal(), std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string directory_;
};

TEST_F(StoreTest, BeginsEmpty) {
  const auto store = Open();
  EXPECT_FALSE(store->recovered().survivor);
  EXPECT_EQ(store->recovered().epoch, 0u);
}

TEST_F(StoreTest, KeepsWhatWasSynced) {
  auto store = Open();
  store->SetEpoch(3);
  store->SetNumber(1000);
  std::string survivor(5000, 'a');
  store->SetSurvivor(survivor);
  ASSERT_TRUE(store->Sync().ok());
  for (size_t i = 0; i < 50; ++i) {
    survivor[i * 90] = 'b';
    store->SetSurvivor(survivor);
    ASSERT_TRUE(store->Sync().ok());
  }
  store->SetSurvivor("never synced");
  store = nullptr;
  store = Open();
  EXPECT_EQ(store->recovered().survivor, survivor);
  EXPECT_EQ(store->recovered().epoch, 3u);
  EXPECT_EQ(store->recovered().number, 1000u);
  EXPECT_EQ(store->recovered().torn_bytes, 0u);
}

TEST_F(StoreTest, UnchangedSurvivorsCostNothing) {
  const auto store = Open();
  store->SetSurvivor("same");
  ASSERT_TRUE(store->Sync().ok());
  store->SetSurvivor("same");
  EXPECT_FALSE(store->dirty());
}

TEST_F(StoreTest, CutsATornTailAtEveryByte) {
  auto store = Open();
  store->SetSurvivor("first");
  ASSERT_TRUE(store->Sync().ok());
  const size_t safe = Content().size();
  store->SetSurvivor("second");
  ASSERT_TRUE(store->Sync().ok());
  store = nullptr;
  const std::string whole = Content();
  for (size_t size = safe; size < whole.size(); ++size) {
    SetContent(whole.substr(0, size));
    store = Open();
    EXPECT_EQ(store->recovered().survivor, "first") << size;
    EXPECT_EQ(store->recovered().torn_bytes, size - safe);
    store = nullptr;
  }
  for (size_t at = safe; at < whole.size(); ++at) {
    std::string torn = whole.substr(0, at) + std::string(whole.size() - at, '\0');
    if (torn == whole) continue;
    SetContent(torn);
    store = Open();
    EXPECT_EQ(store->recovered().survivor, "first") << at;
    store = nullptr;
  }
}

TEST_F(StoreTest, RefusesDamageThatIsNoTornTail) {
  auto store = Open();
  store->SetSurvivor("first");
  ASSERT_TRUE(store->Sync().ok());
  const size_t first = Content().size();
  store->SetSurvivor("second");
  ASSERT_TRUE(store->Sync().ok());
  store = nullptr;
  std::string damaged = Content();
  damaged[first - 1] ^= 1;
  SetContent(damaged);
  EXPECT_EQ(Store::Open(directory_, "owner").status().code(), absl::StatusCode::kDataLoss);
  SetContent("rubbish that is longer than a frame");
  EXPECT_EQ(Store::Open(directory_, "owner").status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(StoreTest, CompactsByItself) {
  auto store = Open();
  std::string survivor(100000, 'a');
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    // Hard to compress, so that the file grows.
    for (char& c : survivor) c = static_cast<char>(random());
    store->SetSurvivor(survivor);
    ASSERT_TRUE(store->Sync().ok());
  }
  EXPECT_LT(std::filesystem::file_size(Wal()), 3u << 20);
  EXPECT_GT(store->bytes_written(), 9u << 20);
  store = nullptr;
  EXPECT_EQ(Open()->recovered().survivor, survivor);
}

TEST_F(StoreTest, IsNobodyElses) {
  auto store = Open();
  EXPECT_THAT(std::string(Store::Open(directory_, "owner").status().message()),
              HasSubstr("another process has it open"));
  store = nullptr;
  const auto other = Store::Open(directory_, "thief");
  EXPECT_EQ(other.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("belongs to owner, not to thief"));
}

TEST(StoreFaultTest, AFullDiskIsAnErrorForEver) {
  snapshot::FaultyFileSystem files;
  const auto store = *Store::Open("/d/node", "owner", files);
  files.set_room(4096);
  store->SetSurvivor(std::string(20000, 'a'));
  const absl::Status full = store->Sync();
  EXPECT_EQ(full.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(full.message(), "store: /d/node/wal: cannot write: No space left on device");
  files.set_room(1 << 20);
  store->SetSurvivor("small");
  EXPECT_EQ(store->Sync(), full);
}

// What a life of a node has got to know as durable.
struct Known {
  uint64_t epoch = 0;
  std::string survivor = "none";
  friend bool operator==(const Known&, const Known&) = default;
};

// Two lives, the first of which writes enough for its file to be compacted.
void Live(snapshot::FileSystem& files, Known& durable, Known& tried) {
  for (uint64_t epoch = 1; epoch <= 2; ++epoch) {
    const auto store = Store::Open("/d/node", "owner", files);
    if (!store.ok()) continue;
    for (const std::string& survivor :
         {std::string("first"), std::string(1'100'000, 'a'), std::string("small"),
          std::string(600, 'b'), std::string(600, 'b') + "c"}) {
      tried = {epoch, survivor};
      (*store)->SetEpoch(epoch);
      (*store)->SetSurvivor(survivor);
      if (!(*store)->Sync().ok()) break;
      durable = tried;
    }
  }
}

TEST(StoreFaultTest, WhatWasSyncedStaysWhateverHappens) {
  Known durable;
  Known tried;
  snapshot::ForEachFault(
      [&](snapshot::FileSystem& files) {
        durable = tried = {};
        Live(files, durable, tried);
      },
      [&](snapshot::FileSystem& files, auto) {
        const auto store = Store::Open("/d/node", "owner", files);
        ASSERT_TRUE(store.ok()) << store.status();
        const Store::Recovered& recovered = (*store)->recovered();
        const Known known{recovered.epoch, recovered.survivor.value_or("none")};
        EXPECT_TRUE(known == durable || known == tried)
            << "epoch " << known.epoch << ", durable " << durable.epoch;
        (*store)->SetSurvivor("after");
        EXPECT_TRUE((*store)->Sync().ok());
      });
}

}  // namespace
}  // namespace foretell::integration::sdk
