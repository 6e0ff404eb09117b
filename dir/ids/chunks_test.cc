#include "foretell/dir/ids/chunks.h"

#include <gtest/gtest.h>

#include <memory>

namespace foretell::dir {
namespace {

TEST(ChunksTest, ElementsStayWhereTheyAre) {
  Chunks<std::unique_ptr<size_t>> chunks;
  std::vector<const std::unique_ptr<size_t>*> addresses;
  constexpr size_t kCount = 10'000;
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(chunks.size(), i);
    std::unique_ptr<size_t>& added = chunks.emplace_back();
    added = std::make_unique<size_t>(i);
    addresses.push_back(&added);
  }
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(&chunks[i], addresses[i]);
    EXPECT_EQ(*chunks[i], i);
  }
}

}  // namespace
}  // namespace foretell::dir
