#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "foretell/agent/telemetry/signals/metric_recorder.h"
#include "foretell/agent/telemetry/signals/registry.h"

namespace foretell::agent {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Ops(const char* name) { return std::string(FORETELL_OPS) + "/" + name; }

// All names of series that Prometheus can have from us.
std::set<std::string> SeriesNames() {
  std::set<std::string> names;
  for (const Metric& metric : kAllMetrics) {
    const std::string name = PrometheusName(metric);
    if (metric.kind != MetricKind::kHistogram) {
      names.insert(name);
      continue;
    }
    for (const char* part : {"_bucket", "_sum", "_count"}) names.insert(name + part);
  }
  return names;
}

// All labels that our series have, from a registry that has been told of everything.
std::set<std::string> LabelNames() {
  Registry registry(
      {{"foretell.watched.service", "paxos"}, {"foretell.watched.scenario", "start"}});
  registry.Set(metrics::kBuildInfo, {{"foretell.version", "1"}}, 1);
  Figures figures(registry, [](MetricId, const Labels&, double) {});
  figures.Round({.nodes = {{}},
                 .lives = {{.property = "joined"}},
                 .engines = {{.engine = "por"}},
                 .steps_away = {{"agreement", 3}}});
  figures.Violation({});
  figures.Violation({.happened = true});
  figures.Resolved({});
  figures.VetoApplied({});
  figures.SnapshotRejected({});
  figures.Counters(0, {}, {});
  registry.Add(metrics::kTelemetryDropped, {{"foretell.signal", "traces"}}, 1);
  const std::string text = registry.Text();
  std::set<std::string> names;
  static const std::regex kLabel(R"re([{,]([a-z_]+)=")re");
  for (std::sregex_iterator match(text.begin(), text.end(), kLabel), end; match != end; ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

// Words of a text that look like ours.
std::set<std::string> Words(const std::string& text) {
  static const std::regex kWord("foretell_[a-z_]+");
  std::set<std::string> words;
  for (std::sregex_iterator match(text.begin(), text.end(), kWord), end; match != end; ++match) {
    words.insert(match->str());
  }
  return words;
}

// The expression without its selectors, groupings and the labels in them.
std::string WithoutLabels(const std::string& expression) {
  static const std::regex kLabels(R"(\{[^}]*\}|\b(by|on|without|ignoring) *\([^)]*\))");
  return std::regex_replace(expression, kLabels, "");
}

void ExpectOurs(const std::string& expression) {
  const std::set<std::string> series = SeriesNames();
  const std::set<std::string> labels = LabelNames();
  const std::set<std::string> used = Words(WithoutLabels(expression));
  EXPECT_FALSE(used.empty() && expression.find("up{") == std::string::npos) << expression;
  for (const std::string& word : used) {
    EXPECT_EQ(series.count(word), 1u) << word << " is not exported: " << expression;
  }
  for (const std::string& word : Words(expression)) {
    if (used.count(word) != 0) continue;
    EXPECT_EQ(labels.count(word), 1u) << word << " is no label: " << expression;
  }
}

// The values of `expr:` in a file of alert rules, folded lines joined.
std::vector<std::string> AlertExpressions(const std::string& text) {
  std::vector<std::string> expressions;
  std::istringstream lines(text);
  std::string line;
  bool folded = false;
  while (std::getline(lines, line)) {
    const size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos) continue;
    const std::string content = line.substr(start);
    if (content.starts_with("expr:")) {
      folded = content == "expr: >-";
      expressions.push_back(folded ? "" : content.substr(5));
    } else if (folded && start == 10) {
      expressions.back() += content + " ";
    } else {
      folded = false;
    }
  }
  return expressions;
}

TEST(OpsTest, AlertsAskForMetricsThatWeExport) {
  const std::string text = ReadText(Ops("foretell-alerts.yml"));
  const std::vector<std::string> expressions = AlertExpressions(text);
  EXPECT_GE(expressions.size(), 8u);
  for (const std::string& expression : expressions) ExpectOurs(expression);
  const std::set<std::string> labels = LabelNames();
  static const std::regex kUsed(R"(\$labels\.(foretell_[a-z_]+))");
  for (std::sregex_iterator match(text.begin(), text.end(), kUsed), end; match != end; ++match) {
    EXPECT_EQ(labels.count((*match)[1]), 1u) << match->str();
  }
}

TEST(OpsTest, TheDashboardAsksForMetricsThatWeExport) {
  const nlohmann::json dashboard = nlohmann::json::parse(ReadText(Ops("grafana-dashboard.json")));
  std::set<std::string> used;
  std::set<int> ids;
  for (const auto& panel : dashboard.at("panels")) {
    EXPECT_TRUE(ids.insert(panel.at("id").get<int>()).second) << panel.at("title");
    if (panel.at("type") == "row") continue;
    ASSERT_FALSE(panel.at("targets").empty()) << panel.at("title");
    for (const auto& target : panel.at("targets")) {
      const std::string expression = target.at("expr");
      ExpectOurs(expression);
      used.merge(Words(WithoutLabels(expression)));
      for (const std::string& label : Words(target.at("legendFormat"))) {
        EXPECT_EQ(LabelNames().count(label), 1u) << label;
      }
    }
  }
  // Nothing that we export is left out.
  for (const Metric& metric : kAllMetrics) {
    const std::string name = PrometheusName(metric);
    const bool histogram = metric.kind == MetricKind::kHistogram;
    EXPECT_EQ(used.count(histogram ? name + "_bucket" : name), 1u) << name;
  }
}

TEST(OpsTest, TheManualNamesEveryMetric) {
  const std::string manual = ReadText(Ops("../../docs/telemetry.md"));
  for (const Metric& metric : kAllMetrics) {
    EXPECT_THAT(manual, testing::HasSubstr("`" + std::string(metric.name) + "`"));
    EXPECT_THAT(manual, testing::HasSubstr("`" + PrometheusName(metric) + "`"));
  }
}

TEST(OpsTest, TheAlertsFireWhenTheyShould) {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "promtool (package prometheus) is not installed";
  }
  const std::string command =
      "cd '" + std::string(FORETELL_OPS) + "' && promtool test rules foretell-alerts.test.yml";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(OpsTest, TheUnitIsOneForSystemd) {
  if (std::system("command -v systemd-analyze >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "systemd-analyze is not installed";
  }
  std::string name = testing::TempDir() + "/foretell-XXXXXX";
  const std::string folder = mkdtemp(name.data());
  // The program need not be installed to check the rest.
  const std::string text = std::regex_replace(ReadText(Ops("foretell-agent.service")),
                                              std::regex("/usr/bin/foretell"), "/bin/true");
  const std::string unit = folder + "/foretell-agent.service";
  std::ofstream(unit) << text;
  FILE* pipe = popen(("systemd-analyze verify " + unit + " 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  std::array<char, 1000> part;
  while (fgets(part.data(), part.size(), pipe) != nullptr) output += part.data();
  EXPECT_EQ(pclose(pipe), 0) << output;
  EXPECT_EQ(output, "") << "it says something about a line that it ignores";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace foretell::agent
