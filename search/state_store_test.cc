#include "foretell/search/state_store.h"

#include <gtest/gtest.h>

#include <map>
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

// Batches repeat tuples, old ones and their own, and outgrow their bits half way through.
TEST(StateStoreTest, StagedTuplesAreInsertedInOrder) {
  StateStore store(2);
  std::map<std::vector<uint32_t>, uint32_t> known;
  for (uint32_t batch = 0; batch < 200; ++batch) {
    std::vector<std::vector<uint32_t>> staged;
    for (uint32_t i = 0; i < 10; ++i) {
      staged.push_back({i * i * batch, i % 3 == 0 ? batch * batch * batch : i % 5});
      store.Stage(staged.back());
    }
    size_t arrived = 0;
    store.InsertStaged(batch, [&](size_t i, StateStore::Inserted inserted) {
      ASSERT_EQ(i, arrived++);
      const auto [entry, fresh] = known.emplace(staged[i], static_cast<uint32_t>(known.size()));
      ASSERT_EQ(inserted.fresh, fresh);
      ASSERT_EQ(inserted.index, entry->second);
      if (fresh) {
        ASSERT_EQ(store.parent(inserted.index), batch);
      }
    });
    ASSERT_EQ(arrived, 10u);
  }
  std::vector<uint32_t> loaded(2);
  for (const auto& [tuple, index] : known) {
    store.Load(index, loaded);
    ASSERT_EQ(loaded, tuple);
  }
  EXPECT_EQ(store.size(), known.size());
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
