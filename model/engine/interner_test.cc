#include "foretell/model/engine/interner.h"

#include <gtest/gtest.h>

#include <string>

namespace foretell::model {
namespace {

TEST(InternerTest, NumbersDistinctStringsDensely) {
  Interner interner;
  EXPECT_EQ(interner.Intern("a"), 0u);
  EXPECT_EQ(interner.Intern(""), 1u);
  EXPECT_EQ(interner.Intern("a"), 0u);
  EXPECT_EQ(interner.Intern(std::string(100'000, 'x')), 2u);
  EXPECT_EQ(interner.at(0), "a");
  EXPECT_EQ(interner.at(1), "");
  EXPECT_EQ(interner.at(2).size(), 100'000u);
}

TEST(InternerTest, IsExactWhenEveryHashCollides) {
  Interner interner([](std::string_view) -> uint64_t { return 7; });
  for (uint32_t i = 0; i < 500; ++i) EXPECT_EQ(interner.Intern(std::to_string(i)), i);
  for (uint32_t i = 0; i < 500; ++i) {
    EXPECT_EQ(interner.Intern(std::to_string(i)), i);
    EXPECT_EQ(interner.at(i), std::to_string(i));
  }
  EXPECT_EQ(interner.size(), 500u);
}

TEST(InternerTest, KnowsItsMemory) {
  Interner interner;
  const uint64_t empty = interner.bytes();
  for (uint32_t i = 0; i < 10'000; ++i) interner.Intern(std::to_string(1'000'000 + i));
  const double per_string = static_cast<double>(interner.bytes() - empty) / 10'000;
  EXPECT_GT(per_string, 8 + sizeof(uint32_t));  // The bytes and a slot at the very least.
  EXPECT_LT(per_string, 64);
}

TEST(SequenceInternerTest, TellsSequencesApart) {
  SequenceInterner interner;
  const uint32_t none = interner.Intern({});
  const uint32_t both[] = {1, 2};
  const uint32_t turned[] = {2, 1};
  const uint32_t id = interner.Intern(both);
  EXPECT_NE(id, none);
  EXPECT_NE(id, interner.Intern(turned));
  EXPECT_EQ(interner.at(id)[1], 2u);
}

}  // namespace
}  // namespace foretell::model
