#include "foretell/agent/sidecar/report/alert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "absl/strings/str_cat.h"
#include "foretell/agent/telemetry/signals/spans.h"
#include "foretell/model/describe.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using testing::HasSubstr;

class AlertTest : public testing::Test {
 protected:
  AlertTest() {
    snapshot_.snapshot.number = 12;
    snapshot_.snapshot.cut = toy_.start;
    space_.cut.in_flight = {{model::NodeId(0), model::NodeId(1), token_}};
    const model::Event event{model::EventKind::kDeliver, model::NodeId(0), token_};
    alert_.predicted = {{"few", "Broken by node 1.", {{model::NodeId(1), event, {}}}}, 3, "lmc"};
    alert_.space = &space_;
    alert_.plan.filters = {{.invariant = "few", .node = model::NodeId(1), .event = event}};
    alert_.plan.text = "Drop what node 1 gets.";
    alert_.mode = snapshot::Mode::kEnforce;
    alert_.decision = "d-7";
    alert_.headline = "few can be violated in 1 step";
    alert_.bundle = "/bundles/few-1.bundle";
    alert_.replay = "foretell replay /bundles/few-1.bundle";
    alert_.opinion = "the judge says no";
  }

  // The exported record, as text.
  std::string EventText() const {
    const EventRecord record = ViolationRecord(ToEvent(alert_));
    std::string text = record.body;
    for (const auto& [name, value] : record.attributes) {
      std::visit(
          [&, &key = name](const auto& known) { absl::StrAppend(&text, "\n", key, "=", known); },
          value);
    }
    return text;
  }
  nlohmann::json Json() const {
    return nlohmann::json::parse(ToJson(alert_, *toy_.service, snapshot_, 1'500ms));
  }

  const model::System toy_ = predictors::testing::MakeToy();
  const std::string token_ = model::Encode(predictors::testing::Token{});
  model::Imagined space_{toy_.start, toy_.start, "node 0 is asked"};
  snapshot::RecordedSnapshot snapshot_;
  Alert alert_;
};

// Who adds a field has to say here where it is seen.
TEST_F(AlertTest, HasNoFieldThatTheseTestsDoNotKnow) {
  const auto& [predicted, space, plan, mode, decision, headline, bundle, replay, opinion, faults,
               dead_since, values, breakers] = alert_;
  EXPECT_TRUE(values.empty() && breakers.empty()) << "see TheHeadlineHasTheAssumptionAndTheValues";
  EXPECT_TRUE(faults == 0 && dead_since == 0) << "not of an invariant that must always hold";
  const auto& [violation, index, engine] = predicted;
  EXPECT_TRUE(index.has_value() && space != nullptr && mode != snapshot::Mode::kObserve);
  for (const std::string& text : {violation.invariant, violation.text, engine, plan.text, decision,
                                  headline, bundle, replay, opinion}) {
    EXPECT_NE(text, "");
  }
}

TEST_F(AlertTest, TheEventHasWhatAReceiverFiltersBy) {
  const std::string text = EventText();
  for (const char* part :
       {"foretell.invariant=few", "foretell.engine=lmc", "foretell.mode=enforce",
        "foretell.steps_away=1", "foretell.node.id=1", "foretell.decision.id=d-7",
        "foretell.bundle.path=/bundles/few-1.bundle", "few can be violated in 1 step"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(AlertTest, TheJsonHasAllOfIt) {
  const nlohmann::json json = Json();
  EXPECT_EQ(json["invariant"], "few");
  EXPECT_EQ(json["steps_away"], 1);
  EXPECT_EQ(json["text"], alert_.headline);
  EXPECT_EQ(json["mode"], "enforce");
  EXPECT_EQ(json["engine"], "lmc");
  EXPECT_EQ(json["imagined"], "node 0 is asked");
  EXPECT_EQ(json["snapshot"], 12);
  EXPECT_EQ(json["latency_ms"], 1'500);
  EXPECT_EQ(json["bundle"], alert_.bundle);
  EXPECT_EQ(json["replay"], alert_.replay);
  EXPECT_EQ(json["decision"], "d-7");
  EXPECT_EQ(json["plan"], alert_.plan.text);
  EXPECT_EQ(json["second_opinion"], alert_.opinion);
  ASSERT_EQ(json["path"].size(), 1u);
  EXPECT_THAT(json["path"][0].get<std::string>(), HasSubstr("Token"));
  alert_.opinion.clear();
  EXPECT_FALSE(Json().contains("second_opinion"));
}

TEST_F(AlertTest, TheBundleHasWhatAReplayNeeds) {
  const snapshot::Bundle bundle = ToBundle(alert_, snapshot_);
  EXPECT_EQ(bundle.recorded.snapshot.number, 12u);
  EXPECT_EQ(bundle.imagined, space_.cut);
  EXPECT_EQ(bundle.focus, space_.focus);
  EXPECT_EQ(bundle.invariant, "few");
  EXPECT_EQ(bundle.text, "Broken by node 1.");
  EXPECT_EQ(bundle.path, alert_.predicted.violation.path);
  EXPECT_EQ(bundle.engine, "lmc");
  EXPECT_EQ(bundle.decision, "d-7");
  EXPECT_EQ(bundle.command, alert_.replay);
  EXPECT_EQ(bundle.plan, alert_.plan.filters);
  EXPECT_EQ(bundle.plan_text, alert_.plan.text);
}

TEST_F(AlertTest, ThePageHasWhatAnOperatorAsks) {
  StatusPage page;
  page.predictions = {ToPage(alert_, snapshot_)};
  const std::string html = StatusHtml(page, 0);
  for (const std::string& part :
       {std::string("few"), std::string("lmc"), std::string("enforce"), alert_.headline,
        alert_.decision, alert_.plan.text, alert_.replay}) {
    EXPECT_THAT(html, HasSubstr(">" + part + "<"));
  }
}

TEST_F(AlertTest, TheHeadlineSaysHowFarAwayItIs) {
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, /*exact=*/true),
            "few can be violated in 1 step if node 0 is asked: Broken by node 1.");
  EXPECT_THAT(HeadlineOf(alert_, *toy_.service, /*exact=*/false),
              HasSubstr("from a cut that is not exact"));
  alert_.predicted.violation.path.clear();
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, true), "few is violated: Broken by node 1.");
  EXPECT_EQ(ToEvent(alert_).node, std::nullopt) << "there is nothing left to stop";
}

class DeathAlertTest : public AlertTest {
 protected:
  DeathAlertTest() {
    death_.critical_step = 1;
    death_.twin = alert_.predicted.violation.path;
    death_.cures = {{.text = "restart node 1", .effect = model::Cure::Effect::kHelps, .steps = 4},
                    {.text = "restart node 0", .effect = model::Cure::Effect::kNone}};
    death_.proof = {model::DeathProof::How::kClosed, 8, true};
    alert_.faults = 1;
    Set();
  }
  void Set() { alert_.predicted.violation.death = std::make_shared<model::Death>(death_); }
  void Die() {
    alert_.predicted.violation.path.clear();
    death_.critical_step = 0;
    alert_.faults = 0;
    alert_.dead_since = 41;
    Set();
  }

  model::Death death_;
};

TEST_F(DeathAlertTest, TheHeadlineHasTheCriticalStepOrTheProofAndTheCure) {
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, true),
            "few can die in 1 step, 1 fault, if node 0 is asked; critical: " +
                model::Describe(*toy_.service, model::NodeId(1),
                                alert_.predicted.violation.path[0].event));
  EXPECT_FALSE(IsDead(alert_));
  death_.by_loss = true;
  death_.lost = {space_.cut.in_flight[0], space_.cut.in_flight[0]};
  alert_.faults = 3;
  Set();
  EXPECT_THAT(HeadlineOf(alert_, *toy_.service, true), HasSubstr("3 faults"));
  EXPECT_THAT(HeadlineOf(alert_, *toy_.service, true), HasSubstr("(2 copies)"));
  death_.by_loss = false;
  Die();
  EXPECT_TRUE(IsDead(alert_));
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, true),
            "few is DEAD since cut 41, proved: 8 states, closed; cure: restart node 1");
}

TEST_F(DeathAlertTest, EveryFormHasIt) {
  EXPECT_THAT(EventText(), HasSubstr("foretell.verdict=critical\nforetell.faults=1"));
  EXPECT_THAT(EventText(), HasSubstr("foretell.cure=restart node 1"));
  const nlohmann::json json = Json();
  EXPECT_EQ(json["verdict"], "critical");
  EXPECT_EQ(json["faults"], 1);
  EXPECT_EQ(json["critical_step"], 1);
  EXPECT_EQ(json["dead_since"], nullptr);
  EXPECT_EQ(json["twin"].size(), 1u);
  EXPECT_EQ(json["proof"]["states"], 8);
  EXPECT_EQ(json["cure"][0]["text"], "restart node 1");
  ASSERT_NE(ToBundle(alert_, snapshot_).death, nullptr);
  EXPECT_EQ(ToBundle(alert_, snapshot_).death->critical_step, 1u);
  Die();
  EXPECT_THAT(EventText(), HasSubstr("foretell.verdict=dead"));
  EXPECT_EQ(Json()["dead_since"], 41);
}

TEST_F(DeathAlertTest, AFaultLessIsAnotherStoryAndACopyMoreIsNot) {
  const std::string story = StoryOf(alert_);
  Alert nearer = alert_;
  nearer.faults = 0;
  EXPECT_NE(StoryOf(nearer), story);
  death_.lost = {space_.cut.in_flight[0]};
  alert_.faults = 2;
  Set();
  EXPECT_EQ(StoryOf(alert_), story);
  Die();
  EXPECT_NE(StoryOf(alert_), story);
}

TEST_F(AlertTest, TheHeadlineHasTheAssumptionAndTheValues) {
  model::Violation& violation = alert_.predicted.violation;
  const model::Event crash{model::EventKind::kCrash, model::NodeId(0), ""};
  violation.path.insert(violation.path.begin(),
                        {{model::NodeId(0), crash, {}}, {model::NodeId(0), crash, {}}});
  alert_.values = {"node 2 decided[34]: - -> commit"};
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, true),
            "few can be violated in 3 steps if node 0 is asked and node 0 crashes (node 2 "
            "decided[34]: - -> commit): Broken by node 1.");
  space_.text = "the cluster just goes on";
  EXPECT_EQ(AssumptionOf(alert_), "node 0 crashes");
  EXPECT_THAT(EventText(), HasSubstr("foretell.assumption=node 0 crashes"));
  EXPECT_THAT(EventText(), HasSubstr("foretell.values=node 2 decided[34]"));
  EXPECT_EQ(Json()["assumption"], "node 0 crashes");
  EXPECT_EQ(Json()["values"][0], alert_.values[0]);
  violation.path.erase(violation.path.begin(), violation.path.begin() + 2);
  EXPECT_EQ(AssumptionOf(alert_), "the cluster just goes on");
  violation.path.clear();
  EXPECT_EQ(HeadlineOf(alert_, *toy_.service, true),
            "few is violated (node 2 decided[34]: - -> commit): Broken by node 1.");
  EXPECT_EQ(AssumptionOf(alert_), "");
  EXPECT_THAT(ViolationRecord(ToEvent(alert_)).name, "foretell.violation.happened");
  alert_.values = {"[1]: a", "[2]: b", "[3]: c", "[4]: d"};
  EXPECT_EQ(ValuesOf(alert_), "") << "too much for a headline";
}

TEST_F(AlertTest, WhatHasHappenedIsAStoryForThoseWhoBreakIt) {
  Alert happened = alert_;
  happened.predicted.violation.path.clear();
  happened.breakers = {"nodes 1 and 2"};
  EXPECT_NE(StoryOf(happened), StoryOf(alert_));
  Alert second = happened;
  second.breakers.push_back("nodes 0 and 2");
  EXPECT_NE(StoryOf(second), StoryOf(happened));
}

TEST_F(AlertTest, AnotherPathIsTheSameStory) {
  Alert other = alert_;
  other.predicted.violation.path.push_back(other.predicted.violation.path[0]);
  EXPECT_EQ(StoryOf(other), StoryOf(alert_));
  const model::Imagined elsewhere{toy_.start, toy_.start, "something else"};
  other.space = &elsewhere;
  EXPECT_NE(StoryOf(other), StoryOf(alert_));
}

}  // namespace
}  // namespace foretell::agent
