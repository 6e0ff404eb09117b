// Services that were worked out on paper first: the verdict, the critical step, the twin, what has
// to be lost and every cure are what a careful person says, not what some version of the engine
// did.

#include "foretell/search/testing/by_hand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/describe.h"
#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_explorer.h"

namespace foretell::search {
namespace {

using model::LivenessVerdict;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

// One check, in words.
struct Told {
  LivenessVerdict verdict = LivenessVerdict::kUndecided;
  bool complete = false;
  size_t critical_step = 0;
  bool by_loss = false;
  std::vector<std::string> path;
  std::vector<std::string> lost;
  std::vector<std::string> twin;
  std::vector<std::string> cures;
  std::vector<std::string> kinds;
};

template <class Protocol>
Told Check(const Protocol& protocol, const std::string& property, Loss loss = Loss::kAny,
           model::CountOn count_on = model::CountOn::kCalls) {
  const auto service = model::MakeService(protocol);
  LiveOptions options;
  options.property = property;
  options.loss = loss;
  options.count_on = count_on;
  model::Budget budget({.steps_max = 10'000'000}, [] { return model::Budget::Time{}; });
  const auto report =
      MakeLiveExplorer(*service, options)->Explore(model::InitialCut(*service), budget);
  EXPECT_TRUE(report.ok()) << report.status();
  Told told{.verdict = report->liveness->verdict, .complete = report->complete};
  if (report->violations.empty()) return told;
  const model::Death& death = *report->violations[0].death;
  EXPECT_TRUE(death.proof.checked);
  const auto words = [&](const model::Path& path) {
    std::vector<std::string> steps;
    for (const model::PathStep& step : path) {
      steps.push_back(model::Describe(*service, step.node, step.event));
    }
    return steps;
  };
  told.critical_step = death.critical_step;
  told.by_loss = death.by_loss;
  told.path = words(report->violations[0].path);
  told.twin = words(death.twin);
  for (const auto& message : death.lost) told.lost.push_back(service->RenderMessage(message.body));
  for (const model::Cure& cure : death.cures) told.cures.push_back(CureText(cure));
  for (const model::CriticalKind& kind : death.kinds) {
    told.kinds.push_back(
        absl::StrCat(kind.event, " at node ", kind.node.value(), ", step ", kind.path.size()));
  }
  return told;
}

TEST(ByHandTest, ATokenThatCanBeLostIsLostForEver) {
  const Told told = Check(TokenRing{}, "home");
  ASSERT_EQ(told.verdict, LivenessVerdict::kDead);
  EXPECT_EQ(told.critical_step, 1u);
  EXPECT_TRUE(told.by_loss);
  EXPECT_THAT(told.path, ElementsAre("action Pass() at node 0"));
  EXPECT_THAT(told.lost, ElementsAre("Token()"));
  EXPECT_THAT(told.twin,
              ElementsAre("action Pass() at node 0", "deliver Token() from node 0 at node 1",
                          "action Pass() at node 1", "deliver Token() from node 1 at node 2",
                          "action Pass() at node 2", "deliver Token() from node 2 at node 0"));
  EXPECT_THAT(told.cures, UnorderedElementsAre("restart node 0: helps, live after 2 steps",
                                               "restart node 1: does not help",
                                               "restart node 2: does not help"));
}

TEST(ByHandTest, ATokenThatIsNeverLostOrIsMadeAgainComesHome) {
  EXPECT_EQ(Check(TokenRing{}, "home", Loss::kNone).verdict, LivenessVerdict::kLive);
  const Told told = Check(TokenRing{.regenerates = true}, "home");
  EXPECT_EQ(told.verdict, LivenessVerdict::kLive);
  EXPECT_TRUE(told.complete);
}

TEST(ByHandTest, AGeneralWhoAnswersOnceMustBeHeard) {
  const Told told = Check(TwoGenerals{.answers_once = true}, "both");
  ASSERT_EQ(told.verdict, LivenessVerdict::kDead);
  EXPECT_EQ(told.critical_step, 2u);
  EXPECT_THAT(told.lost, ElementsAre("Agreed()"));
  EXPECT_THAT(told.twin,
              ElementsAre("action Propose() at node 0", "deliver Attack() from node 0 at node 1",
                          "deliver Agreed() from node 1 at node 0"));
  // He answers again once he has forgotten; who forgets the plan proposes it to deaf ears.
  EXPECT_THAT(told.cures, UnorderedElementsAre("restart node 1: helps, live after 5 steps",
                                               "restart node 0: does not help"));
  EXPECT_EQ(Check(TwoGenerals{}, "both").verdict, LivenessVerdict::kLive);
}

TEST(ByHandTest, ALockThatIsGrantedToNobodyIsFreeOnlyIfSomebodyCalls) {
  EXPECT_EQ(Check(LossyLock{}, "free").verdict, LivenessVerdict::kLive);
  const Told told = Check(LossyLock{}, "free", Loss::kAny, model::CountOn::kHelpful);
  ASSERT_EQ(told.verdict, LivenessVerdict::kDead);
  EXPECT_FALSE(told.by_loss);  // The second of two equal requests.
  EXPECT_EQ(told.critical_step, 7u);
  EXPECT_EQ(told.path[5], "deliver Free() from node 1 at node 0");
  EXPECT_EQ(told.path[6], "deliver Request() from node 1 at node 0");
  EXPECT_EQ(told.twin, std::vector<std::string>(told.path.begin(), told.path.end() - 1));
  // A grant is in flight to node 1, which takes it if it wants to.
  EXPECT_THAT(told.cures, UnorderedElementsAre("restart node 0: helps, live after 2 steps",
                                               "Acquire() at node 1: helps, live after 4 steps",
                                               "Acquire() at node 2: does not help",
                                               "restart node 1: does not help",
                                               "restart node 2: does not help"));
}

TEST(ByHandTest, ALockWhoseGrantIsLostIsNeverGivenBack) {
  const Told told = Check(LossyLock{.asks_once = true}, "free");
  ASSERT_EQ(told.verdict, LivenessVerdict::kDead);
  EXPECT_TRUE(told.by_loss);
  EXPECT_EQ(told.critical_step, 2u);
  EXPECT_THAT(told.lost, ElementsAre("Grant()"));
  EXPECT_THAT(told.twin,
              ElementsAre("action Acquire() at node 1", "deliver Request() from node 1 at node 0",
                          "deliver Grant() from node 0 at node 1", "action Release() at node 1",
                          "deliver Free() from node 1 at node 0"));
  EXPECT_THAT(told.cures, UnorderedElementsAre("restart node 0: helps, live after 2 steps",
                                               "restart node 1: helps, live after 7 steps",
                                               "restart node 2: does not help"));
}

TEST(ByHandTest, AMemberThatForgetsIsLockedOut) {
  const Told told = Check(ForgetfulMember{}, "in");
  ASSERT_EQ(told.verdict, LivenessVerdict::kDead);
  EXPECT_FALSE(told.by_loss);
  EXPECT_EQ(told.critical_step, 3u);
  // What node 0 sends to who is down is lost, whichever comes first.
  EXPECT_THAT(told.kinds,
              ElementsAre("deliver Hello at node 0, step 3", "crash at node 1, step 3"));
  EXPECT_THAT(told.path, ElementsAre("action Knock() at node 1", "crash at node 1",
                                     "deliver Hello() from node 1 at node 0"));
  EXPECT_THAT(told.twin, ElementsAre("action Knock() at node 1", "crash at node 1",
                                     "restart at node 1", "deliver Hello() from node 1 at node 0",
                                     "deliver Welcome() from node 0 at node 1"));
  // Both come back, and node 1 knocks again.
  EXPECT_THAT(told.cures,
              UnorderedElementsAre("restart node 0: helps, live after 6 steps",
                                   "break the stream from node 1 to node 0: does not help"));
  EXPECT_EQ(Check(ForgetfulMember{.lets_in_again = true}, "in").verdict, LivenessVerdict::kLive);
}

}  // namespace
}  // namespace foretell::search
