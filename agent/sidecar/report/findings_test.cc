#include "foretell/agent/sidecar/report/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "foretell/agent/health/status_text.h"
#include "foretell/predictors/testing/toy_protocol.h"

namespace foretell::agent {
namespace {

using testing::HasSubstr;

class FindingsTest : public testing::Test {
 protected:
  FindingsTest() {
    record_.snapshot = SnapshotRecord{};
    record_.spaces = record_.spaces_complete = 2;
    record_.engines = {{.engine = "por", .depth = 14}};
    config_.engines = {"por", "lmc"};
  }
  StatusPage::Finding About(const std::string& name) {
    for (auto& finding : FindingsOf({record_, config_, *toy_.service, archiving_, bundles_})) {
      if (finding.name == name) return finding;
    }
    return {"", false, "no finding about " + name};
  }

  const model::System toy_ = predictors::testing::MakeToy();
  RoundRecord record_;
  Config config_;
  absl::Status archiving_;
  std::ostringstream out_;
  AgentLog log_{out_, nullptr, WallNow};
  BundleFolder bundles_{config_, log_};
};

TEST_F(FindingsTest, ARoundThatSawEverythingSaysSo) {
  EXPECT_EQ(About("cut").text, "Exact: all nodes are in it, and all that is in flight is known.");
  EXPECT_EQ(About("search").text,
            "2 of 2 spaces were searched to the end: no violation can be reached from the cut.");
  EXPECT_EQ(About("engines").text, "No failures; por ran, nothing was left to do for lmc.");
  EXPECT_EQ(About("archive").text, "No cuts are kept: archive.path is not set.");
  EXPECT_EQ(About("bundles").text, "None are written: bundles.path is not set.");
  for (const char* name : {"cut", "search", "engines", "invariants", "archive", "bundles"}) {
    EXPECT_TRUE(About(name).good) << name;
  }
}

TEST_F(FindingsTest, ACutThatIsNotExactSaysWhyInFull) {
  record_.snapshot->exact = false;
  record_.snapshot->notes = {"node 2 is absent: no answer.", "b.", "c.", "d.", "e."};
  EXPECT_EQ(About("cut").text, "Not exact: node 2 is absent: no answer. b. c. d. And 1 more.");
  EXPECT_FALSE(About("cut").good);
  record_.snapshot.reset();
  record_.error = "no node answered";
  EXPECT_EQ(About("cut").text, "There is none: no node answered");
  EXPECT_FALSE(About("search").good);
}

TEST_F(FindingsTest, ASearchThatWasCutShortSaysByWhat) {
  record_.spaces_complete = 0;
  const auto search = About("search");
  EXPECT_FALSE(search.good);
  EXPECT_EQ(search.text,
            "0 of 2 spaces were searched to the end; the deepest search saw 14 steps ahead. What "
            "ends a search is rounds.budget, 500ms, or rounds.memory_max, 1GiB.");
  record_.predictions = 1;
  EXPECT_TRUE(About("search").good);
  record_.spaces = 0;
  EXPECT_THAT(About("search").text, HasSubstr("imagines nothing"));
}

TEST_F(FindingsTest, EnginesThatFailAreNamedOnce) {
  record_.engines = {{.engine = "por", .outcome = std::nullopt, .error = "out of luck"},
                     {.engine = "por", .outcome = std::nullopt, .error = "out of luck"},
                     {.engine = "lmc", .rejected = {"few: not so"}}};
  const auto engines = About("engines");
  EXPECT_FALSE(engines.good);
  EXPECT_EQ(engines.text,
            "lmc claimed what the cut does not confirm: few: not so. por failed: out of luck.");
}

TEST_F(FindingsTest, WhatIsOffOrBrokenIsNamed) {
  config_.mode = snapshot::Mode::kOff;
  EXPECT_FALSE(About("invariants").good);
  EXPECT_THAT(About("invariants").text, HasSubstr("0 of"));
  config_.archive = "/var/cuts.ftl";
  EXPECT_EQ(About("archive").text, "Cuts are kept in /var/cuts.ftl.");
  archiving_ = absl::ResourceExhaustedError("disk full");
  EXPECT_EQ(About("archive").text, "It fails: disk full");
  record_.killed = true;
  EXPECT_FALSE(About("vetoes").good);
}

TEST_F(FindingsTest, TheStatusHasThemAllAsTextAndAsJson) {
  StatusPage page{.service = "toy, start"};
  page.findings = {{"cut", false, "Not exact: node 2."}, {"search", true, "All."}};
  page.invariants = {{.name = "few", .steps_away = 3}, {.name = "many"}};
  const std::string text = StatusText(page);
  EXPECT_THAT(text, HasSubstr("\n  cut         ! Not exact: node 2.\n  search      All.\n"));
  EXPECT_THAT(text, HasSubstr("few         observe, 3 steps from a violation"));
  EXPECT_THAT(text, HasSubstr("many        observe, no violation is in sight"));
  const std::string json = StatusJson(page);
  EXPECT_THAT(json, HasSubstr("\"name\": \"cut\",\n      \"good\": false"));
  EXPECT_THAT(json, HasSubstr("\"steps_away\": 3"));
  const std::string html = StatusHtml(page, 0);
  EXPECT_THAT(html, HasSubstr("What predictions rest on"));
  EXPECT_THAT(html, HasSubstr("3 steps away"));
  page.invariants.clear();
  EXPECT_THAT(StatusHtml(page, 0), HasSubstr("Why is nothing predicted?"));
}

}  // namespace
}  // namespace foretell::agent
