#include "foretell/snapshot/storage/compress.h"

#include <gtest/gtest.h>

#include <random>

namespace foretell::snapshot {
namespace {

std::string RandomBytes(std::mt19937_64& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// `base` with a few bytes changed, removed and added, spread over all of it.
std::string Edited(std::mt19937_64& random, std::string base, int edits) {
  for (int i = 0; i < edits; ++i) {
    const size_t at = random() % base.size();
    if (i % 3 == 0) base[at] = static_cast<char>(base[at] + 1);
    if (i % 3 == 1) base.erase(at, 3);
    if (i % 3 == 2) base.insert(at, "new");
  }
  return base;
}

TEST(DeltaTest, RoundTrips) {
  std::mt19937_64 random(1);
  for (const size_t size : {0, 1, 2, 100, 4096, 100'000, 1'000'000}) {
    const std::string bytes = RandomBytes(random, size);
    EXPECT_EQ(Decompress(Compress(bytes), size).value(), bytes) << size;
    for (const size_t base_size : {0, 1, 7, 5000, 300'000}) {
      const std::string base = RandomBytes(random, base_size);
      const std::string packed = CompressDelta(bytes, base);
      EXPECT_EQ(DecompressDelta(packed, base, size).value(), bytes) << size << " on " << base_size;
    }
  }
}

TEST(DeltaTest, RepeatedBytesBecomeSmall) {
  EXPECT_LT(Compress(std::string(1'000'000, 'a')).size(), 200u);
}

TEST(DeltaTest, NearlyEqualStatesHaveTinyDeltas) {
  std::mt19937_64 random(2);
  for (const size_t size : {1'000, 20'000, 200'000, 1'000'000, 12'000'000}) {
    const std::string base = RandomBytes(random, size);
    const std::string same = CompressDelta(base, base);
    EXPECT_LT(same.size(), 50 + size / 5'000) << size;
    const std::string bytes = Edited(random, base, 9);
    const std::string packed = CompressDelta(bytes, base);
    EXPECT_LT(packed.size(), 200 + size / 5'000) << size;
    EXPECT_EQ(DecompressDelta(packed, base, bytes.size()).value(), bytes);
  }
}

TEST(DeltaTest, LimitIsExact) {
  const std::string packed = Compress(std::string(1000, 'x'));
  EXPECT_TRUE(Decompress(packed, 1000).ok());
  const absl::Status status = Decompress(packed, 999).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_NE(status.message().find("1000"), status.message().npos) << status;
  EXPECT_NE(status.message().find("999"), status.message().npos) << status;
}

TEST(DeltaTest, WrongBaseIsNoticed) {
  std::mt19937_64 random(3);
  const std::string base = RandomBytes(random, 50'000);
  const std::string packed = CompressDelta(Edited(random, base, 3), base);
  const std::string other = RandomBytes(random, 50'000);
  EXPECT_FALSE(DecompressDelta(packed, other, 100'000).ok());
  EXPECT_FALSE(DecompressDelta(packed, "", 100'000).ok());
  EXPECT_FALSE(Decompress(packed, 100'000).ok());
}

TEST(DeltaTest, TwoStringsInARowAreRefused) {
  const std::string packed = Compress("abc");
  EXPECT_FALSE(Decompress(packed + packed, 1000).ok());
  EXPECT_FALSE(Decompress(packed + "x", 1000).ok());
  EXPECT_FALSE(Decompress("", 1000).ok());
}

// Whatever comes in, the answer is an error or a string within the limit.
TEST(DeltaTest, DamageNeverUnpacksToMoreThanTheLimit) {
  std::mt19937_64 random(4);
  const std::string base = RandomBytes(random, 3000);
  const std::string good = Edited(random, base, 6);
  constexpr size_t kLimit = 4000;
  int unpacked = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string packed = i % 3 == 0   ? RandomBytes(random, random() % 200)
                         : i % 3 == 1 ? Compress(good)
                                      : CompressDelta(good, base);
    for (int flips = static_cast<int>(random() % 4); flips > 0 && !packed.empty(); --flips) {
      packed[random() % packed.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) packed.resize(random() % (packed.size() + 1));
    for (const auto& result : {Decompress(packed, kLimit), DecompressDelta(packed, base, kLimit)}) {
      if (!result.ok()) continue;
      ++unpacked;
      EXPECT_LE(result->size(), kLimit);
    }
  }
  EXPECT_GT(unpacked, 100);
}

}  // namespace
}  // namespace foretell::snapshot
