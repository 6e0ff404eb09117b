#include "foretell/integration/random/random_service.h"

#include <gtest/gtest.h>

#include <set>

#include "foretell/integration/random/random_generator.h"
#include "foretell/integration/random/random_source.h"
#include "foretell/integration/random/shrink.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration {
namespace {

// Walks at random and checks that what is called stable stays broken.
void ExpectStable(const RandomServiceSpec& spec) {
  const model::System system = MakeRandomSystem(spec);
  RandomSource random(spec.seed);
  model::PlainSystem at(*system.service, system.start);
  std::set<std::string> broken;
  for (int step = 0; step < 60; ++step) {
    const std::vector<std::string> violated = at.Violated();
    const std::set<std::string> now(violated.begin(), violated.end());
    for (const std::string& name : broken) {
      EXPECT_TRUE(now.contains(name)) << "seed " << spec.seed << ": " << name;
    }
    for (const InvariantSpec& invariant : spec.invariants) {
      if (invariant.stable && now.contains(invariant.name)) broken.insert(invariant.name);
    }
    const std::vector<model::PathStep> enabled = at.Enabled();
    if (enabled.empty()) break;
    ASSERT_TRUE(at.Apply(enabled[random.Next() % enabled.size()]).ok());
  }
}

TEST(RandomServiceTest, SameSeedSameService) {
  EXPECT_EQ(model::Encode(RandomSpec(7)), model::Encode(RandomSpec(7)));
  EXPECT_NE(model::Encode(RandomSpec(7)), model::Encode(RandomSpec(8)));
}

TEST(RandomServiceTest, SpecsSurviveTheirEncoding) {
  const std::string bytes = model::Encode(RandomSpec(11));
  const auto decoded = model::Decode<RandomServiceSpec>(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(DescribeSpec(*decoded), DescribeSpec(RandomSpec(11)));
}

TEST(RandomServiceTest, StartsAreValidAndStableMeansStable) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    const RandomServiceSpec spec = RandomSpec(seed);
    const model::System system = MakeRandomSystem(spec);
    const absl::Status valid = model::ValidateCut(*system.service, system.start);
    ASSERT_TRUE(valid.ok()) << "seed " << seed << ": " << valid;
    ExpectStable(spec);
  }
}

TEST(RandomServiceTest, EveryShrinkIsValidAndKeepsStableTrue) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomServiceSpec spec = RandomSpec(seed);
    for (const SpecEdit& edit : Shrinks(spec)) {
      RandomServiceSpec smaller = spec;
      edit(smaller);
      ASSERT_NE(model::Encode(smaller), model::Encode(spec)) << "seed " << seed;
      const model::System system = MakeRandomSystem(smaller);
      ASSERT_TRUE(model::ValidateCut(*system.service, system.start).ok()) << "seed " << seed;
      for (const InvariantSpec& invariant : smaller.invariants) {
        EXPECT_TRUE(!invariant.stable || IsStable(smaller, invariant)) << "seed " << seed;
      }
    }
  }
}

TEST(RandomServiceTest, MinimiseKeepsOnlyWhatMatters) {
  RandomServiceSpec spec = RandomSpec(3);
  const auto sends_twice = [](const RandomServiceSpec& s) {
    size_t sends = 0;
    for (const RuleSpec& rule : s.rules) {
      for (const BranchSpec& branch : rule.branches) sends += branch.sends.size();
    }
    return sends >= 2;
  };
  ASSERT_TRUE(sends_twice(spec));
  spec = Minimise(std::move(spec), sends_twice, 10'000);
  EXPECT_EQ(spec.nodes.size(), 1u);
  EXPECT_TRUE(spec.invariants.empty());
  EXPECT_TRUE(spec.in_flight.empty());
  EXPECT_LE(spec.rules.size(), 2u);
}

}  // namespace
}  // namespace foretell::integration
