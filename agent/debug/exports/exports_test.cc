#include "foretell/agent/debug/exports/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/debug/exports/spans.h"
#include "foretell/agent/testing/named_toy.h"
#include "foretell/agent/testing/toy_path.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::json;

// The toy's path, by a service that says `says` wherever it can.
struct Exported {
  explicit Exported(const std::string& says = "")
      : service(*system.service, says),
        path(*Execution::Make(service, system.start, ToyPath())),
        shorter(*Execution::Make(service, system.start, {ToyPath()[0]})) {}

  ExportInput input(bool both = false) const {
    ExportInput made{.service = service, .title = "toy \"1\""};
    made.executions = {{"path", &path}};
    if (both) made.executions.push_back({"twin", &shorter});
    made.start += std::chrono::seconds(1);
    return made;
  }

  model::System system = *ToyFamily().Make("fresh", "says-yes");
  NamedToy service;
  Execution path;
  Execution shorter;
};

// The groups that ShiViz names are named in ECMAScript 2018, and not in C++.
std::regex Unnamed(std::string pattern) {
  return std::regex(std::regex_replace(pattern, std::regex(R"(\(\?<\w+>)"), "("));
}

TEST(ExportsTest, ShivizReadsItsLogByItsFirstLine) {
  for (const std::string& says : {std::string(), HostileText()}) {
    const Exported exported(says);
    const std::string text = WriteShiviz(exported.input());
    std::vector<std::string> lines = absl::StrSplit(text, '\n');
    EXPECT_EQ(lines[1], "");
    ASSERT_EQ(lines.size(), 2 + 2 * 8 + 1u);
    const std::regex event = Unnamed(lines[0]);
    std::map<std::string, uint64_t> own;
    for (size_t i = 2; i + 1 < lines.size(); i += 2) {
      std::smatch match;
      const std::string entry = lines[i] + "\n" + lines[i + 1];
      ASSERT_TRUE(std::regex_match(entry, match, event)) << entry;
      const Json clock = Json::parse(match[2].str());
      EXPECT_EQ(clock[match[1].str()].get<uint64_t>(), ++own[match[1].str()]) << entry;
    }
  }
}

TEST(ExportsTest, ShivizSeparatesExecutions) {
  const Exported exported;
  const std::vector<std::string> lines = absl::StrSplit(WriteShiviz(exported.input(true)), '\n');
  const std::regex separator = Unnamed(lines[1]);
  std::vector<std::string> traces;
  for (size_t i = 2; i < lines.size(); ++i) {
    std::smatch match;
    if (std::regex_match(lines[i], match, separator)) traces.push_back(match[1]);
  }
  EXPECT_THAT(traces, testing::ElementsAre("path", "twin"));
}

TEST(ExportsTest, ItfHasAStatePerStepWithEveryVariable) {
  for (const std::string& says : {std::string(), HostileText()}) {
    const Exported exported(says);
    const Json trace = Json::parse(WriteItf(exported.input()));
    EXPECT_EQ(trace["#meta"]["format"], "ITF");
    ASSERT_EQ(trace["states"].size(), 9u);
    for (size_t i = 0; i < trace["states"].size(); ++i) {
      const Json& state = trace["states"][i];
      EXPECT_EQ(state["#meta"]["index"], i);
      EXPECT_EQ(state.size(), trace["vars"].size() + 1);
      for (const Json& variable : trace["vars"]) {
        EXPECT_TRUE(state.contains(variable.get<std::string>())) << variable;
      }
      EXPECT_EQ(state["nodes"]["#map"].size(), 3u);
    }
  }
  const Json trace = Json::parse(WriteItf(Exported().input()));
  EXPECT_EQ(trace["states"][8]["broken"], Json::parse(R"({"#set": ["never-elected"]})"));
  EXPECT_EQ(trace["states"][2]["status"]["#map"][2], Json::parse(R"([{"#bigint": "2"}, "down"])"));
  EXPECT_EQ(trace["states"][1]["event"]["text"], "Campaign()");
}

// As Graphviz sees it: quotes are closed, every edge joins nodes that there are.
TEST(ExportsTest, DotIsAGraphOfItsSteps) {
  for (const std::string& says : {std::string(), HostileText()}) {
    const std::string text = WriteDot(Exported(says).input());
    std::set<std::string> nodes;
    size_t edges = 0;
    const std::vector<std::string> lines = absl::StrSplit(text, '\n');
    for (const std::string& line : lines) {
      const std::string bare = absl::StrReplaceAll(line, {{"\\\\", ""}, {"\\\"", ""}});
      EXPECT_EQ(std::count(bare.begin(), bare.end(), '"') % 2, 0) << line;
      std::smatch match;
      if (std::regex_search(bare, match, std::regex(R"(^    (s\d+) \[)"))) nodes.insert(match[1]);
      if (std::regex_search(bare, match, std::regex(R"(^  (s\d+) -> (s\d+) \[)"))) {
        ++edges;
        EXPECT_TRUE(nodes.contains(match[1]) && nodes.contains(match[2])) << line;
      }
    }
    EXPECT_EQ(nodes.size(), 8u);
    EXPECT_EQ(edges, 5 + 5u);  // Eight steps of three nodes; five messages.
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  }
}

void CollectSpans(const SpanTree& span, std::vector<const SpanTree*>& spans) {
  spans.push_back(&span);
  for (const SpanTree& child : span.children) CollectSpans(child, spans);
}

TEST(ExportsTest, EverySpanIsHypothetical) {
  const Exported exported;
  const SpanTree root = HypotheticalSpans(exported.input());
  std::vector<const SpanTree*> spans;
  CollectSpans(root, spans);
  EXPECT_EQ(spans.size(), 9u);
  for (const SpanTree* span : spans) {
    EXPECT_THAT(span->attributes,
                testing::Contains(testing::Pair("foretell.hypothetical", AttributeValue(true))));
  }
  EXPECT_THAT(root.error, testing::HasSubstr("never-elected"));
}

TEST(ExportsTest, OtlpIsOneTraceOfAServiceOfItsOwn) {
  for (const std::string& says : {std::string(), HostileText()}) {
    const Exported exported(says);
    const std::string text = WriteOtlp(exported.input());
    EXPECT_EQ(text, WriteOtlp(exported.input()));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    const Json data = Json::parse(text);
    const Json& resource = data["resourceSpans"][0]["resource"]["attributes"];
    EXPECT_EQ(resource[0]["value"]["stringValue"], "foretell-hypothetical");
    const Json& spans = data["resourceSpans"][0]["scopeSpans"][0]["spans"];
    ASSERT_EQ(spans.size(), 9u);
    std::set<std::string> ids;
    for (const Json& span : spans) {
      EXPECT_EQ(span["traceId"], spans[0]["traceId"]);
      EXPECT_EQ(span["traceId"].get<std::string>().size(), 32u);
      EXPECT_EQ(span["spanId"].get<std::string>().size(), 16u);
      // A parent stands before its children.
      EXPECT_EQ(ids.contains(span.value("parentSpanId", "")), !ids.empty());
      EXPECT_TRUE(ids.insert(span["spanId"]).second);
      EXPECT_EQ(span["attributes"][0]["key"], "foretell.hypothetical");
    }
    EXPECT_EQ(spans[0]["startTimeUnixNano"], "1000000000");
  }
}

TEST(ExportsTest, UnknownFormatsAreNearlyRight) {
  EXPECT_EQ(FindExport("shivis").status().message(),
            "unknown format 'shivis': did you mean 'shiviz'? known: shiviz, itf, dot, otlp");
}

}  // namespace
}  // namespace foretell::agent
