#include "foretell/model/hash.h"

#include <gtest/gtest.h>

namespace foretell::model {
namespace {

// Files, sockets and pinned counts hold these values: they are compared across machines.
TEST(HashTest, IsPartOfEveryFormat) {
  EXPECT_EQ(HashBytes(""), 0x2d06800538d394c2u);
  EXPECT_EQ(HashBytes128("").high, 0x99aa06d3014798d8u);
  EXPECT_EQ(HashBytes128("").low, 0x6001c324468d497fu);
}

TEST(HashTest, TellsStringsApart) {
  EXPECT_EQ(HashBytes("foretell"), HashBytes("foretell"));
  EXPECT_NE(HashBytes("foretell"), HashBytes("foretelm"));
  EXPECT_NE(HashBytes128("foretell").low, HashBytes128("foretelm").low);
}

}  // namespace
}  // namespace foretell::model
