// What a portfolio remembers from round to round.

#include <gtest/gtest.h>

#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/clean_spaces.h"
#include "foretell/predictors/engines.h"
#include "foretell/predictors/known_paths.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::predictors {
namespace {

using testing::MakeToy;
using testing::Steps;

model::ValidCut Valid(const model::System& toy, const model::SystemCut& cut) {
  const auto valid = model::ValidCut::Make(*toy.service, cut);
  EXPECT_TRUE(valid.ok()) << valid.status();
  return *valid;
}

const auto kAny = [](const std::string&) { return true; };

class KnownPathsTest : public ::testing::Test {
 protected:
  model::Path BadPath() {
    model::Budget budget = Steps(10'000);
    return MakeEngine("por", *toy_.service, {})->Explore(toy_.start, budget)->violations.at(0).path;
  }
  const model::System toy_ = MakeToy();
  KnownPaths known_{*toy_.service};
};

TEST_F(KnownPathsTest, HitsWithAnySuffixThatReplays) {
  const model::Path path = BadPath();
  ASSERT_EQ(path.size(), 4u);
  model::Budget budget = Steps(1'000);
  EXPECT_FALSE(known_.Try(Valid(toy_, toy_.start), kAny, budget));
  known_.Add(path);
  model::PlainSystem system(*toy_.service, toy_.start);
  for (size_t done = 0; done < path.size(); ++done) {
    const auto hit = known_.Try(Valid(toy_, system.state()), kAny, budget);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->invariant, "few");
    EXPECT_EQ(hit->path, model::Path(path.begin() + static_cast<long>(done), path.end()));
    ASSERT_TRUE(system.Apply(path[done]).ok());
  }
}

TEST_F(KnownPathsTest, HitsOnlyWhatIsWanted) {
  known_.Add(BadPath());
  model::Budget budget = Steps(1'000);
  EXPECT_FALSE(known_.Try(
      Valid(toy_, toy_.start), [](const std::string& name) { return name != "few"; }, budget));
}

TEST_F(KnownPathsTest, StopsWithTheBudget) {
  known_.Add(BadPath());
  model::Budget budget = Steps(3);
  EXPECT_FALSE(known_.Try(Valid(toy_, toy_.start), kAny, budget));
  EXPECT_TRUE(budget.spent());
}

TEST_F(KnownPathsTest, KeepsTheNewestOfEachKind) {
  const model::Path path = BadPath();
  known_.Add({});
  EXPECT_EQ(known_.size(), 0u);
  known_.Add(path);
  known_.Add(path);
  EXPECT_EQ(known_.size(), 1u);
  for (uint32_t i = 0; i < 200; ++i) {
    known_.Add({{model::NodeId(0), {model::EventKind::kAction, model::NodeId(0), ""}, {i}}});
  }
  EXPECT_EQ(known_.size(), 64u);
  model::Budget budget = Steps(1'000);
  EXPECT_FALSE(known_.Try(Valid(toy_, toy_.start), kAny, budget)) << "the oldest is still there";
}

TEST(CleanSpacesTest, ForgetsTheOldestAndIgnoresTheOrderOfDatagrams) {
  const model::System toy = MakeToy();
  CleanSpaces clean(*toy.service);
  EXPECT_FALSE(clean.Contains(Valid(toy, toy.start)));
  model::SystemCut cut = toy.start;
  const auto token = [](testing::Cause cause) {
    return model::Message{model::NodeId(0), model::NodeId(1), model::Encode(testing::Token{cause})};
  };
  cut.in_flight = {token(testing::Cause::kAsked), token(testing::Cause::kTimer)};
  clean.Add(Valid(toy, cut));
  EXPECT_FALSE(clean.Contains(Valid(toy, toy.start)));
  std::swap(cut.in_flight[0], cut.in_flight[1]);
  EXPECT_TRUE(clean.Contains(Valid(toy, cut)));
  cut.in_flight.pop_back();
  EXPECT_FALSE(clean.Contains(Valid(toy, cut)));

  clean.Add(Valid(toy, cut));
  for (uint32_t got = 1; got <= 4096; ++got) {
    EXPECT_TRUE(got > 4000 || clean.Contains(Valid(toy, cut)));
    model::SystemCut other = toy.start;
    other.nodes[1].body = model::Encode(testing::ToyProtocol::State{.got = got});
    clean.Add(Valid(toy, other));
  }
  EXPECT_FALSE(clean.Contains(Valid(toy, cut)));
}

}  // namespace
}  // namespace foretell::predictors
