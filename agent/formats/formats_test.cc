#include "foretell/agent/formats/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "foretell/agent/console/text.h"
#include "foretell/agent/testing/named_toy.h"
#include "foretell/agent/testing/xml_reader.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using Verdict = Judged::Verdict;

std::string Written(const std::string& flag, const Findings& findings) {
  for (const ResultFormat& format : ResultFormats()) {
    if (format.flag == flag) return format.write(findings);
  }
  throw std::logic_error("no format " + flag);
}

XmlElement ReadXml(const std::string& text) { return XmlReader(text).Read(); }

// One of everything. `says` is appended to all that a service or a user can say.
Findings Sample(const SpaceTime& picture, const std::string& says = "") {
  const std::string more = Printable(says, true);
  return {.service = "toy" + more,
          .scenario = "fresh" + more,
          .bug = "says-yes" + more,
          .engine = "global",
          .title = "toy, scenario fresh" + more,
          .sentence = "Violation of never-elected." + more,
          .outcome = model::Outcome::kViolation,
          .judged = {{.invariant = "local-assertions",
                      .text = "No handler fails.",
                      .verdict = Verdict::kUndecided,
                      .why = "the whole space was not covered"},
                     {.invariant = "never-elected" + more,
                      .text = "Nobody hears yes." + more,
                      .verdict = Verdict::kBroken,
                      .why = "Broken by node 0." + more,
                      .opinion = "confirmed" + more,
                      .picture = &picture},
                     {.invariant = "calm", .text = "All is calm.", .verdict = Verdict::kHolds}},
          .notes = {"Imagined: much." + more},
          .figures = "7 states",
          .command = "foretell check toy" + more,
          .seconds = 1.5};
}

TEST(FormatsTest, FlagsAreDistinct) {
  std::set<std::string> flags;
  for (const ResultFormat& format : ResultFormats()) {
    EXPECT_TRUE(flags.insert(format.flag).second) << format.flag;
  }
}

TEST(JunitTest, EachInvariantIsATestCase) {
  const SpaceTime picture = NamedPicture();
  const XmlElement root = ReadXml(Written("--junit", Sample(picture)));
  EXPECT_EQ(root.name, "testsuites");
  const XmlElement& suite = *root.All("testsuite").at(0);
  const std::map<std::string, std::string> counts = {{"name", "toy.fresh.says-yes"},
                                                     {"tests", "3"},
                                                     {"failures", "1"},
                                                     {"errors", "0"},
                                                     {"skipped", "1"},
                                                     {"time", "1.500"}};
  EXPECT_EQ(suite.attributes, counts);
  std::map<std::string, std::string> whole = counts;
  whole["name"] = "foretell";
  whole.erase("skipped");  // xUnit's schema of it (junit-10.xsd) has no such attribute.
  EXPECT_EQ(root.attributes, whole);
  const auto cases = suite.All("testcase");
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0]->children.at(0).name, "skipped");
  EXPECT_EQ(cases[0]->children.at(0).attributes.at("message"), "the whole space was not covered");
  EXPECT_EQ(cases[1]->attributes.at("classname"), "toy.fresh.says-yes");
  EXPECT_EQ(cases[1]->attributes.at("name"), "never-elected");
  const XmlElement& failure = cases[1]->children.at(0);
  EXPECT_EQ(failure.name, "failure");
  EXPECT_EQ(failure.attributes.at("message"), "never-elected does not hold: Broken by node 0.");
  EXPECT_THAT(failure.text, HasSubstr("Ask(term=1)"));
  EXPECT_THAT(failure.text, HasSubstr("Find it again: foretell check toy"));
  EXPECT_TRUE(cases[2]->children.empty());
}

TEST(SarifTest, EachInvariantIsARuleAndThePathACodeFlow) {
  const SpaceTime picture = NamedPicture();
  const Json json = Json::parse(Written("--sarif", Sample(picture)));
  EXPECT_EQ(json["version"], "2.1.0");
  EXPECT_TRUE(json.contains("$schema"));
  const Json& run = json["runs"].at(0);
  EXPECT_EQ(run["tool"]["driver"]["name"], "foretell");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 3u);
  EXPECT_EQ(run["invocations"].at(0)["commandLine"], "foretell check toy");
  ASSERT_EQ(run["results"].size(), 1u);
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "never-elected");
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<size_t>()]["id"],
            "never-elected");
  EXPECT_EQ(result["level"], "error");
  const Json& steps = result["codeFlows"].at(0)["threadFlows"].at(0)["locations"];
  ASSERT_EQ(steps.size(), 8u);
  EXPECT_EQ(steps[0]["executionOrder"], 1);
  EXPECT_EQ(steps[0]["location"]["logicalLocations"].at(0)["fullyQualifiedName"],
            "toy/node 0 (candidate)");
  EXPECT_EQ(steps[2]["kinds"], Json::array({"deliver"}));
  EXPECT_EQ(steps[2]["state"]["voted"]["text"], "yes");
  EXPECT_EQ(steps[2]["location"]["message"]["text"],
            "3. node 1: Ask(term=1) from 0; chooses assent; voted: - -> yes");
}

// Whatever the schema asks for (SARIF 3.14 to 3.38): members that must be there, and no other words
// than it has.
TEST(SarifTest, HasWhatTheSchemaAsksFor) {
  const SpaceTime picture = NamedPicture();
  const Json run = Json::parse(Written("--sarif", Sample(picture)))["runs"].at(0);
  for (const Json& rule : run["tool"]["driver"]["rules"]) {
    EXPECT_TRUE(rule["id"].is_string());
    EXPECT_TRUE(rule["shortDescription"]["text"].is_string());
  }
  EXPECT_TRUE(run["invocations"].at(0)["executionSuccessful"].is_boolean());
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  for (const Json& note : run["invocations"][0]["toolExecutionNotifications"]) {
    EXPECT_TRUE(note["message"]["text"].is_string());
    EXPECT_TRUE(levels.contains(note["level"]));
  }
  for (const Json& result : run["results"]) {
    EXPECT_TRUE(levels.contains(result["level"]));
    EXPECT_TRUE(result["message"]["text"].is_string());
    for (const auto& print : result["partialFingerprints"]) EXPECT_TRUE(print.is_string());
  }
  const std::set<std::string> importance = {"important", "essential", "unimportant"};
  for (const Json& step : run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]) {
    EXPECT_TRUE(importance.contains(step["importance"]));
    EXPECT_GE(step["executionOrder"], 0);
    for (const auto& value : step["state"]) EXPECT_TRUE(value["text"].is_string());
  }
}

// The schema allows no members but its own. These are what its official file, as the SARIF SDK
// ships it, has of those objects that we write; whole reports were validated by it once
// (docs/json.md).
TEST(SarifTest, HasNoMembersThatTheSchemaDoesNotKnow) {
  using Names = std::set<std::string>;
  const auto expect_known = [](const Json& object, const Names& known) {
    for (const auto& [name, value] : object.items()) EXPECT_TRUE(known.contains(name)) << name;
  };
  const SpaceTime picture = NamedPicture();
  Findings findings = Sample(picture);
  findings.source = "lock.cc";
  const Json json = Json::parse(Written("--sarif", findings));
  expect_known(json, {"$schema", "version", "runs"});
  const Json& run = json["runs"].at(0);
  expect_known(run, {"tool", "invocations", "results"});
  expect_known(run["tool"], {"driver"});
  expect_known(run["tool"]["driver"], {"name", "version", "rules"});
  const Json& invocation = run["invocations"].at(0);
  expect_known(invocation, {"executionSuccessful", "commandLine", "toolExecutionNotifications"});
  expect_known(invocation["toolExecutionNotifications"].at(0), {"level", "message"});
  const Json& result = run["results"].at(0);
  expect_known(result, {"ruleId", "ruleIndex", "level", "message", "locations", "codeFlows",
                        "partialFingerprints"});
  expect_known(result["message"], {"text"});
  const Json& location = result["locations"].at(0);
  expect_known(location, {"physicalLocation", "logicalLocations"});
  expect_known(location["physicalLocation"], {"artifactLocation", "region"});
  expect_known(location["physicalLocation"]["artifactLocation"], {"uri"});
  expect_known(location["logicalLocations"].at(0), {"name", "fullyQualifiedName", "kind"});
  const Json& step = result["codeFlows"].at(0)["threadFlows"].at(0)["locations"].at(0);
  expect_known(step, {"location", "kinds", "state", "executionOrder", "importance"});
  expect_known(step["location"], {"physicalLocation", "logicalLocations", "message"});
}

// What was covered is said wherever the verdict is.
TEST(FormatsTest, SayWhatWasCovered) {
  Findings findings{.title = "toy", .sentence = "No violation.", .complete = true};
  findings.covered = "Never: Reset.";
  for (const ResultFormat& format : ResultFormats()) {
    EXPECT_THAT(format.write(findings), HasSubstr("Never: Reset.")) << format.flag;
  }
}

// A reader takes {1} for its second argument, and [a](b) for a link.
TEST(SarifTest, BracesAndLinksAreText) {
  const SpaceTime picture = NamedPicture();
  Findings findings = Sample(picture);
  findings.judged[1].why = "yes={1} [a](b)";
  const Json json = Json::parse(Written("--sarif", findings));
  EXPECT_EQ(json["runs"][0]["results"][0]["message"]["text"],
            "never-elected does not hold: yes={{1}} [a] (b)");
}

TEST(SarifTest, PointsToTheSourceIfThereIsOne) {
  const SpaceTime picture = NamedPicture();
  Findings findings = Sample(picture);
  const auto location = [&] {
    return Json::parse(Written("--sarif", findings))["runs"][0]["results"][0]["locations"].at(0);
  };
  EXPECT_FALSE(location().contains("physicalLocation"));
  findings.source = "src/my toy.cc";
  EXPECT_EQ(location()["physicalLocation"]["artifactLocation"]["uri"], "src/my%20toy.cc");
}

TEST(GithubTest, EachBrokenInvariantIsOneLine) {
  const SpaceTime picture = NamedPicture();
  Findings findings = Sample(picture);
  const std::string text = Written("--github", findings);
  EXPECT_THAT(text, testing::StartsWith("::error title=toy%3A never-elected::never-elected does "
                                        "not hold: Broken by node 0.%0A1. node 0 (candidate): "));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  findings.source = "a,b.cc";
  EXPECT_THAT(Written("--github", findings), HasSubstr("::error file=a%2Cb.cc,line=1,title=toy"));
}

TEST(GithubTest, WhatIsNotDecidedIsAWarning) {
  Findings findings{.title = "toy", .sentence = "No violation found; 50% done, not complete."};
  EXPECT_EQ(Written("--github", findings),
            "::warning title=toy::No violation found; 50%25 done, not complete.\n");
  findings.complete = true;
  findings.sentence = "No violation.";
  EXPECT_EQ(Written("--github", findings), "::notice title=toy::No violation.\n");
}

TEST(HtmlTest, HasVerdictPictureStepsAndCommandAndNeedsNothingElse) {
  const SpaceTime picture = NamedPicture();
  Findings findings = Sample(picture);
  findings.judged[0] = findings.judged[1];
  findings.judged[0].invariant = "other";
  const std::string text = Written("--html", findings);
  const XmlElement page = ReadXml(text);
  EXPECT_EQ(page.All("svg").size(), 2u);
  EXPECT_EQ(page.All("table").size(), 3u);
  EXPECT_EQ(page.All("table")[1]->All("tr").size(), 9u);
  EXPECT_EQ(page.All("pre").at(0)->text, "foretell check toy");
  std::set<std::string> ids;
  for (const char* name : {"title", "desc", "marker"}) {
    for (const XmlElement* element : page.All(name)) {
      const auto id = element->attributes.find("id");
      if (id == element->attributes.end()) continue;
      EXPECT_TRUE(ids.insert(id->second).second) << id->second;
    }
  }
  EXPECT_EQ(ids.size(), 6u);
  for (const char* outside : {"<script", "<link", "src=", "href=", "@import", "url(http"}) {
    EXPECT_THAT(text, Not(HasSubstr(outside)));
  }
}

// Whatever a service says stays text, in every format.
TEST(FormatsTest, HostileTextStaysText) {
  const std::string says = HostileText();
  const SpaceTime picture = NamedPicture(says, "toy" + says);
  const Findings findings = Sample(picture, says);
  for (const ResultFormat& format : ResultFormats()) {
    const std::string text = format.write(findings);
    for (const unsigned char c : text) ASSERT_TRUE(c >= ' ' || c == '\n') << format.flag;
    EXPECT_THAT(text, Not(HasSubstr("\xff"))) << format.flag;
  }
  const XmlElement junit = ReadXml(Written("--junit", findings));
  EXPECT_EQ(junit.All("testcase")[1]->attributes.at("name"), findings.judged[1].invariant);
  const Json sarif = Json::parse(Written("--sarif", findings));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["ruleId"], findings.judged[1].invariant);
  const std::string github = Written("--github", findings);
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), 1);
  const std::string html = Written("--html", findings);
  EXPECT_EQ(ReadXml(html).All("svg").size(), 1u);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

}  // namespace
}  // namespace foretell::agent
