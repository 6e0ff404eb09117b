#include "foretell/agent/check/conclusions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/testing/named_toy.h"

namespace foretell::agent {
namespace {

using testing::HasSubstr;
using Verdict = Judged::Verdict;

class ConclusionsTest : public testing::Test {
 protected:
  std::vector<Judged> Judge() {
    return Conclude(*system_.service, record_, pictures_, asked_, "foretell check toy").judged;
  }
  void FindViolation() {
    pictures_ = {NamedPicture()};
    record_.report = {.outcome = model::Outcome::kViolation,
                      .violations = {{"never-elected", "Broken by node 0.", ToyPath()}}};
  }

  const model::System system_ = *ToyFamily().Make("fresh", "says-yes");
  CheckRecord record_{.service = "toy", .scenario = "fresh", .engine = "global"};
  std::vector<SpaceTime> pictures_;
  CheckRequest asked_;
};

TEST_F(ConclusionsTest, AllHoldsWhereEverythingWasCovered) {
  record_.report.complete = true;
  const std::vector<Judged> judged = Judge();
  ASSERT_EQ(judged.size(), 2u);
  EXPECT_EQ(judged[0].invariant, "local-assertions");
  EXPECT_EQ(judged[1].invariant, "never-elected");
  for (const Judged& one : judged) EXPECT_EQ(one.verdict, Verdict::kHolds);
}

TEST_F(ConclusionsTest, NothingHoldsThatWasNotCovered) {
  record_.report.outcome = model::Outcome::kBudget;
  for (const Judged& one : Judge()) {
    EXPECT_EQ(one.verdict, Verdict::kUndecided);
    EXPECT_EQ(one.why, "the whole space was not covered");
  }
}

TEST_F(ConclusionsTest, TheFirstViolationLeavesTheOthersUndecided) {
  FindViolation();
  const std::vector<Judged> judged = Judge();
  EXPECT_EQ(judged[0].verdict, Verdict::kUndecided);
  EXPECT_THAT(judged[0].why, HasSubstr("--all-invariants"));
  EXPECT_EQ(judged[1].verdict, Verdict::kBroken);
  EXPECT_EQ(judged[1].picture, &pictures_[0]);
  EXPECT_EQ(judged[1].why, "Broken by node 0.");
  asked_.options.all_invariants = true;
  record_.report.complete = true;
  EXPECT_EQ(Judge()[0].verdict, Verdict::kHolds);
}

TEST_F(ConclusionsTest, AServiceThatIsNotDeterministicIsAFindingOfItsOwn) {
  record_.report = {.outcome = model::Outcome::kNondeterminism,
                    .complete = true,
                    .notes = {"deliver Ask: two answers."}};
  const std::vector<Judged> judged = Judge();
  ASSERT_EQ(judged.size(), 3u);
  EXPECT_EQ(judged[0].invariant, "deterministic");
  EXPECT_EQ(judged[0].verdict, Verdict::kBroken);
  EXPECT_EQ(judged[0].why, "deliver Ask: two answers.");
  EXPECT_EQ(judged[1].verdict, Verdict::kUndecided);
  EXPECT_EQ(judged[2].verdict, Verdict::kUndecided);
}

TEST_F(ConclusionsTest, AViolationOfNoKnownInvariantIsNotLost) {
  FindViolation();
  record_.report.violations[0].invariant = "new";
  const std::vector<Judged> judged = Judge();
  ASSERT_EQ(judged.size(), 3u);
  EXPECT_EQ(judged[2].invariant, "new");
  EXPECT_EQ(judged[2].verdict, Verdict::kBroken);
}

}  // namespace
}  // namespace foretell::agent
