#include "foretell/model/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foretell::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Nodes = std::vector<uint32_t>;

// The sets of `scope` among four nodes of which node 2 has no key.
std::vector<Nodes> Sets(Scope scope, std::optional<uint32_t> with = std::nullopt) {
  std::vector<Nodes> sets;
  AnyNodeSet(
      scope, 4, [](uint32_t n) { return n != 2; },
      [&](std::span<const uint32_t> nodes) {
        sets.emplace_back(nodes.begin(), nodes.end());
        return false;
      },
      with);
  return sets;
}

TEST(ScopeTest, NodesWithoutAKeyAreInNoSetButTheWhole) {
  EXPECT_THAT(Sets(Scope::kNode), ElementsAre(Nodes{0}, Nodes{1}, Nodes{3}));
  EXPECT_THAT(Sets(Scope::kPair), ElementsAre(Nodes{0, 1}, Nodes{0, 3}, Nodes{1, 3}));
  EXPECT_THAT(Sets(Scope::kSystem), ElementsAre(Nodes{0, 1, 2, 3}));
}

TEST(ScopeTest, OnlySetsWithOneNode) {
  EXPECT_THAT(Sets(Scope::kNode, 1), ElementsAre(Nodes{1}));
  EXPECT_THAT(Sets(Scope::kPair, 0), ElementsAre(Nodes{0, 1}, Nodes{0, 3}));
  EXPECT_THAT(Sets(Scope::kPair, 1), ElementsAre(Nodes{0, 1}, Nodes{1, 3}));
  EXPECT_THAT(Sets(Scope::kPair, 3), ElementsAre(Nodes{0, 3}, Nodes{1, 3}));
  EXPECT_THAT(Sets(Scope::kSystem, 1), ElementsAre(Nodes{0, 1, 2, 3}));
}

TEST(ScopeTest, ANodeWithoutAKeyBreaksOnlyTheWhole) {
  EXPECT_THAT(Sets(Scope::kNode, 2), IsEmpty());
  EXPECT_THAT(Sets(Scope::kPair, 2), IsEmpty());
  EXPECT_THAT(Sets(Scope::kSystem, 2), ElementsAre(Nodes{0, 1, 2, 3}));
}

TEST(ScopeTest, TheFirstBrokenSetIsNamed) {
  const std::optional<int> keys[] = {5, std::nullopt, 7, 7, 7};
  using Keys = std::span<const std::optional<int>>;
  const auto all_are_7 = [](Keys of_set) {
    return std::all_of(of_set.begin(), of_set.end(), [](const auto& key) { return key == 7; });
  };
  EXPECT_THAT(FirstBroken<int>(Scope::kNode, keys, all_are_7), ElementsAre(2));
  EXPECT_THAT(FirstBroken<int>(Scope::kPair, keys, all_are_7), ElementsAre(2, 3));
  EXPECT_THAT(FirstBroken<int>(Scope::kPair, keys, all_are_7, 4), ElementsAre(2, 4));
  EXPECT_THAT(FirstBroken<int>(Scope::kPair, keys, all_are_7, 0), IsEmpty());
  EXPECT_THAT(FirstBroken<int>(Scope::kSystem, keys, all_are_7), IsEmpty());
  EXPECT_THAT(FirstBroken<int>(Scope::kSystem, Keys(keys).subspan(2), all_are_7),
              ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace foretell::model
