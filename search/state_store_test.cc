#include "search/state_store.h"

#include <gtest/gtest.h>

#include <vector>

namespace foretell::search {
namespace {

TEST(StateStoreTest, KeepsTuplesApartWhileTheyOutgrowTheirBits) {
  StateStore store(3);
  std::vector<std::vector<uint32_t>> tuples;
  for (uint32_t i = 0; i < 20'000; ++i) tuples.push_back({i % 7, i * i, i % 2 == 0 ? 0 : ~i});
  for (uint32_t i = 0; i < tuples.size(); ++i) {
    const auto inserted = store.Insert(tuples[i], i == 0 ? StateStore::kNone : i - 1);
    ASSERT_TRUE(inserted.fresh);
    ASSERT_EQ(inserted.index, i);
  }
  std::vector<uint32_t> loaded(3);
  for (uint32_t i = 0; i < tuples.size(); ++i) {
    store.Load(i, loaded);
    ASSERT_EQ(loaded, tuples[i]);
    ASSERT_EQ(store.parent(i), i - 1);
    const auto again = store.Insert(tuples[i], 0);
    ASSERT_FALSE(again.fresh);
    ASSERT_EQ(again.index, i);
  }
  EXPECT_EQ(store.size(), tuples.size());
}

TEST(StateStoreTest, PacksSmallFieldsIntoFewBytes) {
  StateStore store(7);
  std::vector<uint32_t> tuple(7);
  for (uint32_t i = 0; i < 1'000'000; ++i) {
    tuple = {i % 10, i / 10 % 10, i / 100 % 10, i / 1000 % 10, i / 10'000 % 10, i / 100'000, 0};
    store.Insert(tuple, 0);
  }
  EXPECT_EQ(store.size(), 1'000'000u);
  EXPECT_LT(store.bytes() / store.size(), 24u);
}

}  // namespace
}  // namespace foretell::search
