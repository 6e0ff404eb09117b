#include "foretell/integration/joined/joined_family.h"

#include <gtest/gtest.h>

#include "foretell/integration/examples/shipping.h"
#include "foretell/integration/examples/tree.h"

namespace foretell::integration {
namespace {

JoinedFamily TreeAndShipping() {
  model::Catalog parts;
  parts.push_back(examples::MakeTreeFamily());
  parts.push_back(examples::MakeShippingFamily());
  return JoinedFamily({"both", "Two services."}, std::move(parts));
}

TEST(JoinedFamilyTest, ListsAllPartsInOrder) {
  const JoinedFamily family = TreeAndShipping();
  ASSERT_EQ(family.scenarios().size(), 3u);
  EXPECT_EQ(family.scenarios()[0].name, "figure-2");
  EXPECT_EQ(family.scenarios()[1].name, "two-entries");
  ASSERT_EQ(family.bugs().size(), 1u);
  EXPECT_EQ(family.bugs()[0].name, "blind-append");
  EXPECT_EQ(family.live_scenario(), "live");
}

TEST(JoinedFamilyTest, MakesEachScenarioOfItsOwnPart) {
  const JoinedFamily family = TreeAndShipping();
  EXPECT_EQ(family.Make("figure-2", "")->service->node_count(), 5u);
  EXPECT_EQ(family.Make("two-entries", "blind-append")->service->node_count(), 3u);
}

TEST(JoinedFamilyTest, RefusesABugOfAnotherPart) {
  const auto system = TreeAndShipping().Make("figure-2", "blind-append");
  EXPECT_EQ(system.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(system.status().message()),
            "bug blind-append does not go with scenario figure-2 but with two-entries, live");
}

TEST(JoinedFamilyTest, RefusesScenariosOfNobody) {
  EXPECT_EQ(std::string(TreeAndShipping().Make("figure-3", "").status().message()),
            "there is no scenario figure-3");
}

}  // namespace
}  // namespace foretell::integration
