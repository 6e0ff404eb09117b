#include "foretell/integration/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/model/plain/plain_system.h"

namespace foretell::integration {
namespace {

// Whatever the catalogue offers to users can be made and started from.
TEST(CatalogTest, EveryScenarioMakesAValidSystemWithNothingBroken) {
  for (const auto& family : BuiltinServices()) {
    ASSERT_FALSE(family->scenarios().empty()) << family->name();
    for (const model::Named& scenario : family->scenarios()) {
      const auto system = family->Make(scenario.name, "");
      ASSERT_TRUE(system.ok()) << family->name() << " " << scenario.name << system.status();
      EXPECT_TRUE(model::ValidateCut(*system->service, system->start).ok()) << scenario.name;
      const model::PlainSystem start(*system->service, system->start);
      EXPECT_TRUE(start.Violated().empty()) << family->name() << " " << scenario.name;
    }
  }
}

TEST(CatalogTest, EveryBugGoesWithSomeScenario) {
  for (const auto& family : BuiltinServices()) {
    for (const model::Named& bug : family->bugs()) {
      size_t made = 0;
      for (const model::Named& scenario : family->scenarios()) {
        made += family->Make(scenario.name, bug.name).ok() ? 1 : 0;
      }
      EXPECT_GT(made, 0u) << family->name() << " " << bug.name;
    }
  }
}

TEST(CatalogTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const auto& family : BuiltinServices()) {
    EXPECT_TRUE(names.insert(family->name()).second) << family->name();
  }
}

}  // namespace
}  // namespace foretell::integration
