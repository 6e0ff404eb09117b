#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "foretell/agent/check/check_options.h"
#include "foretell/agent/commands/command_line.h"
#include "foretell/agent/commands/explain.h"
#include "foretell/agent/commands/new_files.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/formats/formats.h"
#include "foretell/agent/testing/toy_path.h"
#include "foretell/model/plain/plain_system.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Says what the test wants an engine to say; violations are confirmed as every engine's are.
class ScriptedExplorer final : public model::Explorer {
 public:
  ScriptedExplorer(const model::Service& service, predictors::EngineOptions options,
                   model::Report report)
      : service_(service), options_(std::move(options)), report_(std::move(report)) {}
  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    options_.progress({"exploring", 1200, 5000, 7, 1 << 20});
    for (model::Violation& violation : report_.violations) {
      auto confirmed = model::Confirm(service_, start, violation.invariant, violation.path);
      if (!confirmed.ok()) return confirmed.status();
      violation = *confirmed;
    }
    const bool spent = !budget.TakeStep();
    if (spent && report_.violations.empty()) report_.outcome = model::Outcome::kBudget;
    return report_;
  }

 private:
  const model::Service& service_;
  predictors::EngineOptions options_;
  model::Report report_;
};

struct Result {
  int code;
  std::string out;
  std::string err;
};

class CommandsTest : public testing::Test {
 protected:
  Result Run(const std::vector<std::string>& args) {
    return Call([&](Parts& parts, Console& console) { return RunForetell(args, parts, console); });
  }
  Result Call(const std::function<int(Parts&, Console&)>& command) {
    Parts parts;
    parts.catalog.push_back(std::make_unique<ToyFamily>());
    parts.engines.push_back(
        {.name = "scripted",
         .text = "Says what the test wants.",
         .make = [this](const model::Service& service, const predictors::EngineOptions& o) {
           return std::make_unique<ScriptedExplorer>(service, o, report_);
         }});
    parts.engines.push_back(parts.engines.front());
    parts.engines.back().name = "by-components";
    parts.engines.back().accepts.insert({predictors::EngineOption::kComponents,
                                         predictors::EngineOption::kDependency,
                                         predictors::EngineOption::kJournal});
    parts.engines.push_back(parts.engines.front());
    parts.engines.back().name = "choosy";
    parts.engines.back().accepts.clear();
    parts.engines.back().covers = [](const model::Service&, const model::SystemCut& start) {
      return start.in_flight.empty() ? absl::OkStatus() : absl::UnimplementedError("too busy");
    };
    parts.engines.push_back(parts.engines.front());
    parts.engines.back().name = "takes-all";
    for (const CheckOption& option : CheckOptions()) {
      if (option.kind) parts.engines.back().accepts.insert(*option.kind);
    }
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out,
                    .err = err,
                    .out_style = {.utf8 = true, .columns = 96},
                    .err_style = {.utf8 = true},
                    .live = live_,
                    .now = [this] { return now_ += std::chrono::milliseconds(200); },
                    .interrupted = [this] { return interrupted_; }};
    const int code = command(parts, console);
    return {code, out.str(), err.str()};
  }
  // Exit 2, one line on stderr that says `what`, nothing on stdout.
  void ExpectRefused(const std::vector<std::string>& args, const std::string& what) {
    const Result result = Run(args);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  void FindViolation() {
    report_.outcome = model::Outcome::kViolation;
    report_.violations = {{"never-elected", "", ToyPath()}};
  }
  std::string TempPath(const std::string& name) {
    return testing::TempDir() + "/foretell-" + std::to_string(getpid()) + "-" + name;
  }

  model::Report report_{.complete = true};
  bool live_ = false;
  bool interrupted_ = false;
  Console::Time now_{};
};

std::vector<std::string> KeysOf(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST_F(CommandsTest, ExitCodesAreThoseOfTheContract) {
  EXPECT_EQ(Run({"check", "toy"}).code, 0);
  report_.complete = false;
  EXPECT_EQ(Run({"check", "toy"}).code, 0);
  EXPECT_EQ(Run({"check", "toy", "--require-complete"}).code, 3);
  report_.outcome = model::Outcome::kNondeterminism;
  EXPECT_EQ(Run({"check", "toy", "--require-complete"}).code, 1);
  FindViolation();
  EXPECT_EQ(Run({"check", "toy", "--bug", "says-yes"}).code, 1);
  EXPECT_EQ(Run({}).code, 2);
  EXPECT_EQ(Run({"--version"}).code, 0);
}

// Otherwise its silence would look like an answer.
TEST_F(CommandsTest, AnEngineThatCoversNothingOfItIsRefused) {
  EXPECT_EQ(Run({"check", "toy", "--engine", "choosy"}).code, 0);
  ExpectRefused({"check", "toy", "--engine", "choosy", "--scenario", "asked"}, "toy: too busy");
}

TEST_F(CommandsTest, BadUsageIsOneLineWithTheNearestName) {
  ExpectRefused({"check", "tpy"}, "unknown service 'tpy': did you mean 'toy'?");
  ExpectRefused({"check", "toy", "--scenario", "frsh"}, "did you mean 'fresh'?");
  ExpectRefused({"check", "toy", "--bug", "says-yea"}, "did you mean 'says-yes'?");
  ExpectRefused({"check", "toy", "--bug", "says-maybe"}, "needs another scenario");
  ExpectRefused({"check", "toy", "--engine", "scriptd"}, "did you mean 'scripted'?");
  ExpectRefused({"chek", "toy"}, "unknown command 'chek': did you mean 'check'?");
  ExpectRefused({"check", "toy", "--bugdet", "1s"}, "did you mean '--budget'?");
  ExpectRefused({"check", "toy", "--threads", "2"}, "--threads means nothing to engine scripted");
  ExpectRefused({"check", "toy", "--shreds", "2"}, "unknown option '--shreds'");
  ExpectRefused({"check"}, "SERVICE");
  ExpectRefused({"selftest", "--count", "0"}, "--count: impossible number '0'");
  ExpectRefused({"check", "toy", "--order", "bfs"}, "--order means nothing to engine scripted");
  ExpectRefused({"check", "toy", "--plugin", "/nowhere/x.so"}, "/nowhere/x.so");
  ExpectRefused(
      {"check", "toy", "--engine", "choosy", "--depth", "9"},
      "--depth means nothing to engine choosy, but to scripted, by-components, takes-all");
  ExpectRefused({"check", "toy", "--engine", "by-components", "--components", "0/1/9"},
                "--components: there is no node 9");
  ExpectRefused({"check", "toy", "--engine", "by-components", "--components", ""},
                "--components: is empty");
  ExpectRefused({"check", "toy", "--engine", "by-components", "--journal", ""},
                "--journal: is empty");
  ExpectRefused({"check", "toy", "--engine", "by-components", "--journal", "x"},
                "--journal: service toy does not say which version of its handlers this is");
}

TEST_F(CommandsTest, ImpossibleBudgetsAreRefused) {
  ExpectRefused({"check", "toy", "--budget", "0s"}, "--budget: impossible duration '0s'");
  ExpectRefused({"check", "toy", "--budget", "-1s"}, "more than zero");
  ExpectRefused({"check", "toy", "--budget", "1e99s"}, "--budget");
  ExpectRefused({"check", "toy", "--memory", "0GiB"}, "--memory");
  ExpectRefused({"check", "toy", "--steps", "0"}, "--steps");
  ExpectRefused({"check", "toy", "--depth", "-3"}, "--depth");
}

TEST_F(CommandsTest, JsonIsTheContractAndAloneOnStdout) {
  FindViolation();
  report_.stats.transitions = 7;
  const Result result = Run({"check", "toy", "--bug", "says-yes", "--json", "-"});
  const Json json = Json::parse(result.out);
  EXPECT_EQ(KeysOf(json), (std::vector<std::string>{"service", "scenario", "bug", "engine",
                                                    "complete", "outcome", "violations", "stats",
                                                    "coverage", "notes", "foretell", "start"}));
  EXPECT_EQ(KeysOf(json["stats"]),
            (std::vector<std::string>{"transitions", "handler_executions", "node_states", "classes",
                                      "system_states", "global_states", "traces", "blocked",
                                      "traces_before_violation", "soundness_checks",
                                      "soundness_rejections", "depth", "seconds", "peak_rss_bytes",
                                      "bytes", "visited_bytes", "images_max"}));
  EXPECT_EQ(json["outcome"], "violation");
  EXPECT_EQ(json["stats"]["transitions"], 7);
  EXPECT_TRUE(json["stats"]["traces"].is_null());
  EXPECT_GT(json["stats"]["peak_rss_bytes"], 0);
  const Json& violation = json["violations"][0];
  EXPECT_EQ(violation["depth"], 8);
  EXPECT_EQ(
      KeysOf(violation["steps"][2]),
      (std::vector<std::string>{"node", "event", "kind", "detail", "peer", "body", "choices",
                                "choice_labels", "role", "name", "fields", "changes", "sends"}));
  EXPECT_EQ(violation["steps"][2]["event"], "Ask(term=1) from 0");
  EXPECT_EQ(violation["steps"][2]["detail"], "voted: - -> yes");
  EXPECT_THAT(result.err, HasSubstr("VIOLATION of never-elected, 8 steps from the start"));
}

TEST_F(CommandsTest, StepsInJsonHaveParts) {
  FindViolation();
  const Json json =
      Json::parse(Run({"check", "toy", "--bug", "says-yes", "--json", "-"}).out)["violations"][0];
  const Json& step = json["steps"][2];
  EXPECT_EQ(step["name"], "Ask");
  EXPECT_EQ(step["fields"], (Json{{"term", "1"}}));
  EXPECT_TRUE(step["role"].is_null());
  EXPECT_EQ(step["choice_labels"], Json::array({nullptr}));
  EXPECT_EQ(step["changes"], Json::parse(R"([{"field":"voted","before":"-","after":"yes"}])"));
  const Json sent = {{"to", 0},
                     {"name", "Vote"},
                     {"fields", {{"yes", "yes"}}},
                     {"text", "Vote(yes=yes)"},
                     {"arrives", 7}};
  EXPECT_EQ(step["sends"], Json::array({sent}));
  EXPECT_TRUE(json["steps"][1]["name"].is_null());
  EXPECT_TRUE(json["steps"][3]["sends"][0]["arrives"].is_null());
}

TEST_F(CommandsTest, EveryFormatGoesToItsFile) {
  FindViolation();
  std::vector<std::string> args = {"check", "toy", "--bug", "says-yes"};
  for (const ResultFormat& format : ResultFormats()) {
    args.push_back(format.flag);
    if (*format.metavar != 0) args.push_back(TempPath(format.flag));
  }
  const Result result = Run(args);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, StartsWith("VIOLATION of never-elected"));
  EXPECT_THAT(result.out, HasSubstr("\n::error title=toy%3A never-elected::"));
  for (const ResultFormat& format : ResultFormats()) {
    if (*format.metavar == 0) continue;
    std::ifstream file(TempPath(format.flag));
    std::string line;
    EXPECT_TRUE(std::getline(file, line)) << format.flag;
    std::filesystem::remove(TempPath(format.flag));
  }
}

TEST_F(CommandsTest, AFormatOnStdoutIsAlone) {
  const Result result = Run({"check", "toy", "--junit", "-", "--github"});
  EXPECT_THAT(result.out, StartsWith("<?xml"));
  EXPECT_THAT(result.out, testing::EndsWith("</testsuites>\n"));
  EXPECT_THAT(result.err, HasSubstr("No violation"));
  EXPECT_THAT(result.err, HasSubstr("::notice title=toy%2C scenario fresh"));
}

TEST_F(CommandsTest, TwoFormatsDoNotGoToOnePlace) {
  ExpectRefused({"check", "toy", "--json", "-", "--sarif", "-"},
                "--sarif and --json both write to standard output");
  ExpectRefused({"check", "toy", "--junit", "a.xml", "--html", "a.xml"},
                "--junit and --html both write to 'a.xml'");
  ExpectRefused({"check", "toy", "--junit", "/nowhere/at/all.xml"}, "/nowhere/at/all.xml");
}

TEST_F(CommandsTest, OfSeveralEnginesTheOneThatFoundItFindsItAgain) {
  FindViolation();
  std::vector<std::string> words = {"check",     "toy",       "--bug", "says-yes", "--engine",
                                    "takes-all", "--threads", "3",     "--depth",  "9"};
  EXPECT_THAT(Run(words).out, HasSubstr("--engine takes-all --depth 9 --threads 3\n"));
  report_.answer_of = "scripted";
  EXPECT_THAT(Run(words).out, HasSubstr("foretell check toy --scenario fresh --bug says-yes "
                                        "--engine scripted --depth 9\n"))
      << "which has no threads";
  words.insert(words.end(), {"--json", "-"});
  const Json json = Json::parse(Run(words).out);
  EXPECT_EQ(json["engine"], "takes-all");
  EXPECT_EQ(json["found_by"], "scripted");
}

TEST_F(CommandsTest, WhatOthersSayOfAViolationIsTold) {
  FindViolation();
  EXPECT_THAT(Run({"check", "toy", "--bug", "says-yes"}).out,
              HasSubstr("Second opinion on never-elected: confirmed: 8 steps by hand\n"));
  const std::string out = Run({"check", "toy", "--bug", "says-yes", "--json", "-"}).out;
  EXPECT_EQ(Json::parse(out)["violations"][0]["second_opinion"], "confirmed: 8 steps by hand");
}

TEST_F(CommandsTest, NoBugIsNullInJson) {
  EXPECT_TRUE(Json::parse(Run({"check", "toy", "--json", "-"}).out)["bug"].is_null());
}

TEST_F(CommandsTest, VerdictSaysHowFarItGot) {
  EXPECT_THAT(Run({"check", "toy"}).out,
              HasSubstr("No violation: the whole space was covered (complete), "));
  report_.complete = false;
  report_.stats.global_states = 1'234'567;
  EXPECT_THAT(Run({"check", "toy", "--budget", "100ms"}).out,
              HasSubstr("No violation found before the budget of 0.10 s ended; 1.23 M states, not "
                        "complete."));
}

// Scripts must not take it for an answer, nor people for a limit that they could raise.
TEST_F(CommandsTest, AnInterruptIsNoLimit) {
  interrupted_ = true;
  EXPECT_EQ(Run({"check", "toy"}).code, 0) << "it was complete already";
  report_.complete = false;
  report_.notes = {"Ended by the limit on time.", "Other."};
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--require-complete"}}) {
    std::vector<std::string> args = {"check", "toy"};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = Run(args);
    EXPECT_EQ(result.code, 130);
    EXPECT_THAT(result.out, HasSubstr("No violation found before it was interrupted"));
    EXPECT_THAT(result.out, HasSubstr("Note: Other."));
    EXPECT_THAT(result.out, Not(HasSubstr("limit on time")));
  }
  FindViolation();
  EXPECT_EQ(Run({"check", "toy", "--bug", "says-yes"}).code, 1);
}

TEST_F(CommandsTest, ComponentsAreTheScenariosUnlessTheUserSaysOtherwise) {
  const std::vector<std::string> check = {"check", "toy", "--engine", "by-components"};
  const auto with = [&check](const std::vector<std::string>& more) {
    std::vector<std::string> args = check;
    args.insert(args.end(), more.begin(), more.end());
    return args;
  };
  EXPECT_THAT(Run(with({"--scenario", "asked"})).out,
              HasSubstr("Components as in the scenario: 0/1,2."));
  EXPECT_THAT(Run(with({"--scenario", "asked", "--components", "0/1/2"})).out,
              Not(HasSubstr("Components")));
  EXPECT_THAT(Run(check).out, Not(HasSubstr("Components")));
}

TEST_F(CommandsTest, VerdictPrintsTheCommandThatFindsItAgain) {
  FindViolation();
  EXPECT_THAT(Run({"check", "toy", "--bug", "says-yes", "--budget", "5s"}).out,
              HasSubstr("Find it again:\n  foretell check toy --scenario fresh --bug says-yes "
                        "--engine scripted --budget 5s\n"));
}

// One by one as typed: the table prints what it has, here it is seen to get what was typed.
TEST_F(CommandsTest, EveryOptionIsInTheCommandThatFindsItAgain) {
  FindViolation();
  const std::map<std::string, std::string> samples = {
      {"--scenario", "fresh"},   {"--bug", "says-yes"},     {"--engine", "takes-all"},
      {"--budget", "7s"},        {"--steps", "7"},          {"--depth", "9"},
      {"--memory", "7MiB"},      {"--order", "dfs"},        {"--assertions", "verify"},
      {"--threads", "3"},        {"--components", "0/1/2"}, {"--dependency", "conservative"},
      {"--count-on", "helpful"}, {"--loss", "none"},        {"--weights", "timer=2"},
      {"--seed", "3"},           {"--fairness", "weak"},    {"--all-invariants", ""},
      {"--keep-auxiliary", ""},  {"--symmetry", "0,1"},     {"--no-symmetry", ""},
      {"--no-minimise", ""}};
  // A liveness predicate, a recording and a service with a version are needed for these; settings
  // come back as part of the scenario; the others are about the result.
  std::set<std::string> elsewhere = {"--from",
                                     "--force",
                                     "--journal",
                                     "--json",
                                     "--source",
                                     "--param",
                                     "--property",
                                     "--crashes",
                                     "--breaks",
                                     "--duplicates",
                                     "--require-complete",
                                     "--require-coverage"};
  for (const ResultFormat& format : ResultFormats()) elsewhere.insert(format.flag);
  for (const CheckOption& option : CheckOptions()) {
    if (elsewhere.contains(option.flag)) continue;
    ASSERT_TRUE(samples.contains(option.flag)) << option.flag;
    const std::string& value = samples.at(option.flag);
    std::map<std::string, std::string> given = {{"--bug", "says-yes"}, {"--engine", "takes-all"}};
    given[option.flag] = value;
    std::vector<std::string> args = {"check", "toy"};
    for (const auto& [flag, word] : given) {
      args.push_back(flag);
      if (!word.empty()) args.push_back(word);
    }
    const std::string out = Run(args).out;
    const std::string command = out.substr(out.find("Find it again:"));
    EXPECT_THAT(command.substr(0, command.find("\n\n")),
                HasSubstr(" " + option.flag + (value.empty() ? "" : " " + ShellWord(value))));
  }
}

TEST_F(CommandsTest, SettingsComeBackAsPartOfTheScenario) {
  FindViolation();
  const Result result = Run({"check", "toy", "--bug", "says-yes", "--crashes", "0=2", "--crashes",
                             "1=0", "--duplicates", "1"});
  EXPECT_THAT(result.out,
              HasSubstr("foretell check toy --scenario "
                        "'fresh,crashes[0]=2,crashes[1]=0,duplicates=1' --bug says-yes"));
  ExpectRefused({"check", "toy", "--param", "nodes=5"},
                "unknown parameter 'nodes': known: crashes, breaks, duplicates");
  ExpectRefused({"check", "toy", "--crashes", "9=1"}, "there is no node 9, nodes are 0 to 2");
}

TEST_F(CommandsTest, ProgressIsForTerminalsAndErased) {
  EXPECT_EQ(Run({"check", "toy"}).err, "");
  live_ = true;
  const std::string err = Run({"check", "toy"}).err;
  EXPECT_THAT(err, HasSubstr("exploring  1.20 k states"));
  EXPECT_THAT(err, testing::EndsWith("\r\x1b[2K"));
}

TEST_F(CommandsTest, ServicesAsJson) {
  const Json json = Json::parse(Run({"services", "--json", "-"}).out);
  EXPECT_EQ(json["services"][0]["scenarios"][1]["in_flight"], 2);
  EXPECT_EQ(json["services"][0]["invariants"][0]["stable"], true);
}

TEST_F(CommandsTest, ServicesByName) {
  EXPECT_EQ(Run({"services", "toy"}).out, Run({"services"}).out);
  ExpectRefused({"services", "toi"}, "unknown service 'toi': did you mean 'toy'? known: toy");
}

TEST_F(CommandsTest, HelpHasAnExample) {
  for (const char* command : {"services", "check", "explain", "snapshots", "replay", "selftest"}) {
    const Result result = Run({command, "--help"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("Example:\n  foretell "));
  }
  for (const char* command : {"explain", "replay"}) {
    EXPECT_THAT(Run({command, "--help"}).out, HasSubstr("text (default), mermaid, svg or gtest\n"));
  }
  // The agent writes files of this kind, and completion offers what is there.
  EXPECT_THAT(Run({"replay", "--help"}).out,
              HasSubstr("foretell replay bundles/agreement-17.bundle"));
}

class ExplainTest : public CommandsTest {
 protected:
  void SetUp() override {
    FindViolation();
    report_file_ = TempPath("report.json");
    ASSERT_EQ(Run({"check", "toy", "--bug", "says-yes", "--json", report_file_}).code, 1);
    std::ifstream in(report_file_);
    report_text_.assign(std::istreambuf_iterator<char>(in), {});
  }
  void TearDown() override { std::filesystem::remove(report_file_); }
  // Without the command line: loops over a whole file would spend their time there.
  Result ExplainFile() {
    return Call([&](Parts& parts, Console& console) {
      return RunExplain({.file = report_file_}, parts, console);
    });
  }
  void Write(const std::string& text) { std::ofstream(report_file_) << text; }
  void WriteWith(const std::function<void(Json&)>& edit) {
    Json json = Json::parse(report_text_);
    edit(json);
    Write(json.dump());
  }

  std::string report_file_;
  std::string report_text_;
};

TEST_F(ExplainTest, DrawsWhatCheckDrew) {
  const std::string checked = Run({"check", "toy", "--bug", "says-yes"}).out;
  const Result result = Run({"explain", report_file_});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const size_t begin = checked.find("VIOLATION");
  const std::string drawing = checked.substr(begin, checked.find("\n\ntoy,") - begin);
  EXPECT_THAT(result.out, HasSubstr(drawing));
  EXPECT_THAT(Run({"explain", report_file_, "--format", "mermaid"}).out,
              StartsWith("sequenceDiagram\n"));
}

// Files of versions that knew no parts of steps.
TEST_F(ExplainTest, ReadsWhatOlderVersionsWrote) {
  const std::string drawn = ExplainFile().out;
  WriteWith([](Json& json) {
    for (Json& step : json["violations"][0]["steps"]) {
      for (const char* key : {"choice_labels", "role", "name", "fields", "changes", "sends"}) {
        step.erase(key);
      }
    }
  });
  const Result result = ExplainFile();
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, drawn);
}

TEST_F(ExplainTest, WritesFilesWholeOrNotAtAll) {
  const std::string output = TempPath("picture.svg");
  EXPECT_EQ(Run({"explain", report_file_, "--format", "svg", "--output", output}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(output));
  std::filesystem::remove(output);
  Write("{}");
  ExpectRefused({"explain", report_file_, "--output", output}, "'service' is missing");
  EXPECT_FALSE(std::filesystem::exists(output));
  ExpectRefused({"explain", report_file_, "--format", "svgg"}, "did you mean 'svg'?");
}

TEST_F(ExplainTest, RefusesTheFileCutShortAnywhere) {
  const size_t complete = report_text_.rfind('}') + 1;
  for (size_t length = complete; length-- > 0;) {
    std::filesystem::resize_file(report_file_, length);
    const Result result = ExplainFile();
    ASSERT_EQ(result.code, 2) << length;
    ASSERT_EQ(result.out, "") << length;
  }
}

// Whatever a byte becomes, the answer is a drawing or one line; never a crash.
TEST_F(ExplainTest, SurvivesAnyChangedByte) {
  std::fstream file(report_file_, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](size_t at, char c) {
    file.seekp(static_cast<std::streamoff>(at)).put(c).flush();
  };
  for (size_t at = 0; at < report_text_.size(); ++at) {
    put(at, report_text_[at] == '1' ? '9' : '1');
    const Result result = ExplainFile();
    put(at, report_text_[at]);
    ASSERT_TRUE(result.code == 0 || (result.code == 2 && result.out.empty())) << at;
  }
}

TEST_F(ExplainTest, NamesWhatIsWrong) {
  ExpectRefused({"explain", "/nowhere/at-all"}, "/nowhere/at-all: cannot open");
  ExpectRefused({"explain", testing::TempDir()}, "cannot read");
  WriteWith([](Json& json) { json["service"] = "toys"; });
  ExpectRefused({"explain", report_file_}, "unknown service 'toys': did you mean 'toy'?");
  WriteWith([](Json& json) { json["service"] = 7; });
  ExpectRefused({"explain", report_file_}, "'service' is a number, expected string");
  WriteWith([](Json& json) { json["violations"][0]["steps"].erase(2); });
  ExpectRefused({"explain", report_file_}, "step 6 of 7");
  WriteWith([](Json& json) { json["violations"][0]["steps"][2]["body"] = "ffff"; });
  ExpectRefused({"explain", report_file_}, "step 3 of 8: its 2 bytes");
  WriteWith([](Json& json) { json["violations"][0]["steps"][2]["node"] = 99; });
  ExpectRefused({"explain", report_file_}, "no node 99");
  WriteWith([](Json& json) { json["start"]["nodes"].erase(0); });
  ExpectRefused({"explain", report_file_}, "the cut has 2 nodes, the service 3");
  WriteWith([](Json& json) { json["violations"][0]["invariant"] = "other"; });
  ExpectRefused({"explain", report_file_}, "does not break other");
  WriteWith([](Json& json) { json["violations"].clear(); });
  ExpectRefused({"explain", report_file_}, "no violation to explain");
  Write(report_text_);
  ExpectRefused({"explain", report_file_, "--violation", "2"}, "there is no violation 2");
}

TEST_F(CommandsTest, NewRefusesNamesThatWouldNotBuild) {
  for (const char* name : {"", "Ticket", "a b", "a-", "9a", "caf\xc3\xa9", "../x", "a_b"}) {
    ExpectRefused({"new", name}, "a name is lower-case letters, digits and dashes");
  }
  ExpectRefused({"new", "-a"}, "unknown option '-a'");
  for (const char* name : {"test", "all", "foretell"}) {
    ExpectRefused({"new", name}, "there is a CMake target of that name already");
  }
}

TEST_F(CommandsTest, NewRefusesAFolderThatIsThere) {
  const std::filesystem::path here = std::filesystem::current_path();
  const std::filesystem::path folder = testing::TempDir() + "new." + std::to_string(getpid());
  std::filesystem::create_directories(folder / "office");
  std::filesystem::current_path(folder);
  ExpectRefused({"new", "office"}, "new: office: there is something already");
  EXPECT_EQ(Run({"new", "ticket"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "ticket" / "ticket.h"));
  std::filesystem::current_path(here);
  std::filesystem::remove_all(folder);
}

TEST(NewFilesTest, AStructHasNoMemberOfItsOwnName) {
  EXPECT_THAT(NewServiceFiles("ticket")[0].content, HasSubstr("struct TicketService {"));
  EXPECT_THAT(NewServiceFiles("ticket")[0].content, HasSubstr(".name = \"ticket\""));
  EXPECT_THAT(NewServiceFiles("ticket-office")[0].content, HasSubstr("struct TicketOffice {"));
}

}  // namespace
}  // namespace foretell::agent
