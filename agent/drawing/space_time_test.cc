#include "foretell/agent/drawing/space_time.h"

#include <gtest/gtest.h>

#include "foretell/agent/drawing/wording.h"
#include "foretell/agent/testing/named_toy.h"

namespace foretell::agent {
namespace {

TEST(SpaceTimeTest, LinksEachDeliveryToTheStepThatSentIt) {
  const SpaceTime picture = ToyPicture("fresh", ToyPath());
  ASSERT_EQ(picture.moments.size(), 8u);
  EXPECT_EQ(picture.moments[2].sent_at, 0u);
  EXPECT_EQ(picture.moments[5].sent_at, 0u);
  EXPECT_EQ(picture.moments[6].sent_at, 2u);
  EXPECT_EQ(picture.moments[7].sent_at, 5u);
  EXPECT_EQ(picture.moments[0].sends[1].arrives, 2u);
  EXPECT_EQ(picture.moments[3].sends[0].arrives, std::nullopt);
  EXPECT_EQ(picture.moments[1].status, model::NodeStatus::kDown);
}

TEST(SpaceTimeTest, MessagesOfTheStartHaveNoSender) {
  const SpaceTime picture = ToyPicture("asked", {ToyPath()[2]});
  EXPECT_EQ(picture.moments[0].sent_at, std::nullopt);
  EXPECT_EQ(picture.in_flight_at_start, 2u);
  ASSERT_EQ(picture.lanes[0].at_start.size(), 1u);
  EXPECT_EQ(ChangesText(picture.lanes[0].at_start), "asked: 0 -> 1");
}

TEST(SpaceTimeTest, RefusesAPathThatDoesNotReplay) {
  const model::System system = *ToyFamily().Make("fresh", "");
  const auto picture =
      BuildSpaceTime(*system.service, system.start, {"never-elected", "", {ToyPath()[6]}}, "toy");
  EXPECT_FALSE(picture.ok());
}

TEST(SpaceTimeTest, TellsKindsFieldsRolesAndLabels) {
  const SpaceTime picture = NamedPicture();
  EXPECT_EQ(picture.lanes[0].name, "node 0 (candidate)");
  EXPECT_EQ(picture.lanes[0].role, "candidate");
  EXPECT_EQ(picture.lanes[1].name, "node 1");
  const Moment& asked = picture.moments[2];
  EXPECT_EQ(asked.name, "Ask");
  EXPECT_EQ(asked.fields, (std::vector<model::Field>{{"term", "1"}}));
  EXPECT_EQ(asked.choice_labels, std::vector<std::string>{"assent"});
  EXPECT_EQ(asked.sends.at(0).name, "Vote");
  EXPECT_EQ(asked.sends.at(0).fields, (std::vector<model::Field>{{"yes", "yes"}}));
  EXPECT_EQ(picture.moments[0].name, "Campaign");
  EXPECT_EQ(picture.moments[1].name, "");  // A crash is neither message nor action.
}

TEST(WordingTest, ChoicesHaveLabelsWhereTheServiceGivesThem) {
  Moment moment{.choices = {1, 0}};
  EXPECT_EQ(ChoicesText(moment), "chooses 1, 0");
  moment.choice_labels = {"commit"};
  EXPECT_EQ(ChoicesText(moment), "chooses commit, 0");
  moment.choice_labels = {"", "abort"};
  EXPECT_EQ(ChoicesText(moment), "chooses 1, abort");
  EXPECT_EQ(ChoicesText({}), "");
}

TEST(WordingTest, GroupsPartsAndLeavesOutWhatIsEmptyAndNew) {
  const std::vector<Change> changes = {
      {"log[0].vote.ballot", "-", "2", true}, {"log[0].vote.value", "-", "7", true},
      {"log[0].vote.by", "-", "{}", true},    {"log[0].chosen", "-", "7"},
      {"old.count", "0", "-", false, true},   {"left", "1", "0"}};
  EXPECT_EQ(ChangeLines(changes, "log[0]", "→"),
            (std::vector<std::string>{"vote: ballot - → 2, value - → 7", "chosen: - → 7",
                                      "left: 1 → 0"}));
  EXPECT_EQ(ChangeLines(changes, "", "").front(), "log[0].vote: ballot=2, value=7");
  // When all is empty and new, that is the news.
  EXPECT_EQ(ChangeLines({{"a.b", "-", "0", true}}, "", "->"),
            std::vector<std::string>{"a.b: - -> 0"});
}

TEST(WordingTest, FindsThePrefixThatAllNamesShare) {
  SpaceTime picture;
  picture.moments.push_back({.changes = {{"log.d[0].x.y", "", ""}, {"top", "", ""}}});
  EXPECT_EQ(CommonPrefix(picture), "log.d[0].x");
  picture.moments.push_back({.changes = {{"log.d[0].z", "", ""}}});
  EXPECT_EQ(CommonPrefix(picture), "log.d[0]");
  picture.moments.push_back({.changes = {{"log.d[1].z", "", ""}}});
  EXPECT_EQ(CommonPrefix(picture), "log");
}

TEST(WordingTest, NamesMessagesInFullOnlyWhereNamesAreNotEnough) {
  Moment moment{.sends = {{0, "Ask(t=1)", 3}, {1, "Ask(t=1)", std::nullopt}, {2, "No()", 4}}};
  EXPECT_EQ(SendTexts(moment), (std::vector<std::string>{"Ask to 0; undelivered: 1", "No to 2"}));
  moment.sends[2].label = "Ask(t=2)";
  EXPECT_EQ(SendTexts(moment),
            (std::vector<std::string>{"Ask(t=1) to 0; undelivered: 1", "Ask(t=2) to 2"}));
}

}  // namespace
}  // namespace foretell::agent
