#include "foretell/integration/sdk/node/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <random>

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

TEST_F(StoreTest, AFullDiskIsAnErrorForEver) {
  const auto store = Open();
  struct rlimit old = {};
  getrlimit(RLIMIT_FSIZE, &old);
  struct rlimit tight = {.rlim_cur = 4096, .rlim_max = old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  std::string survivor(20000, 'a');
  for (size_t k = 0; k < survivor.size(); ++k) survivor[k] = static_cast<char>(k * k * 31);
  store->SetSurvivor(survivor);
  const absl::Status full = store->Sync();
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(full.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(full.message()), HasSubstr(Wal()));
  store->SetSurvivor("small");
  EXPECT_FALSE(store->Sync().ok());
}

}  // namespace
}  // namespace foretell::integration::sdk
