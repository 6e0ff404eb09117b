#include "foretell/model/typed/type_name.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace foretell::model {
namespace {

enum class Phase : uint8_t { kIdle, kWantsLeft, WANTS_RIGHT, eats };
enum class Sparse : int8_t { kBelow = -1, kOne = 1, kFar = 100 };

struct Plain {};
struct Renamed {
  static constexpr const char* kName = "Other";
};
template <class A, class B>
struct Box {
  struct Inside {};
};

TEST(TypeNameTest, IsWhatTheCodeSays) {
  EXPECT_EQ(TypeName<Plain>(), "Plain");
  EXPECT_EQ((TypeName<Box<int, Plain>>()), "Box");
  EXPECT_EQ((TypeName<Box<int, Plain>::Inside>()), "Inside");
}

TEST(TypeNameTest, AStructCanNameItself) { EXPECT_EQ(TypeName<Renamed>(), "Other"); }

TEST(TypeNameTest, EnumeratorsReadLikeWords) {
  EXPECT_EQ(ValueName(Phase::kIdle), "idle");
  EXPECT_EQ(ValueName(Phase::kWantsLeft), "wants-left");
  EXPECT_EQ(ValueName(Phase::WANTS_RIGHT), "wants-right");
  EXPECT_EQ(ValueName(Phase::eats), "eats");
}

TEST(TypeNameTest, ValuesWithoutANameAreNumbers) {
  EXPECT_EQ(ValueName(Phase{17}), "17");
  EXPECT_EQ(ValueName(Phase{200}), "200");
  EXPECT_EQ(ValueName(Sparse{0}), "0");
  EXPECT_EQ(ValueName(Sparse::kOne), "one");
  EXPECT_EQ(ValueName(Sparse::kBelow), "-1");
  EXPECT_EQ(ValueName(Sparse::kFar), "100");
}

}  // namespace
}  // namespace foretell::model
