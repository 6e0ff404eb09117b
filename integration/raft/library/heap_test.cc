#include "foretell/integration/raft/library/heap.h"

#include <gtest/gtest.h>

#include <cstring>

namespace foretell::integration::raft {
namespace {

TEST(ArenaTest, EverythingHandedOutIsZeroAndItsOwn) {
  Arena arena;
  for (int round = 0; round < 3; ++round) {
    char* a = static_cast<char*>(arena.Allocate(100));
    char* b = static_cast<char*>(arena.Allocate(100));
    EXPECT_GE(b, a + 100);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a[i], 0);
    std::memset(a, 1, 100);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(b[i], 0);
    arena.Reset();
  }
}

TEST(ArenaTest, GrowsBeyondOneChunk) {
  Arena arena;
  char* small = static_cast<char*>(arena.Allocate(1));
  char* large = static_cast<char*>(arena.Allocate(size_t{1} << 20));
  EXPECT_TRUE(arena.Owns(small));
  EXPECT_TRUE(arena.Owns(large + (size_t{1} << 20) - 1));
  arena.Reset();
  EXPECT_FALSE(arena.Owns(small));
}

TEST(ArenaTest, ReallocatingKeepsTheContents) {
  Arena arena;
  char* old = static_cast<char*>(arena.Allocate(3));
  std::memcpy(old, "abc", 3);
  EXPECT_EQ(std::memcmp(arena.Reallocate(old, 100), "abc", 3), 0);
  EXPECT_NE(arena.Reallocate(nullptr, 5), nullptr);
  EXPECT_FALSE(arena.freed_foreign);
  int foreign = 0;
  arena.Reallocate(&foreign, 5);
  EXPECT_TRUE(arena.freed_foreign);
}

TEST(ArenaTest, IsLentToOneAtATime) {
  Arena* arena = BorrowArena();
  ASSERT_NE(arena, nullptr);
  EXPECT_EQ(BorrowArena(), nullptr);
  arena->in_use = false;
  EXPECT_EQ(BorrowArena(), arena);
  arena->in_use = false;
}

}  // namespace
}  // namespace foretell::integration::raft
