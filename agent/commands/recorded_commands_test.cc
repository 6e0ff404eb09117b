// The commands that work on what an agent has written: snapshots, replay, check --from.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/command_line.h"
#include "foretell/agent/commands/replay.h"
#include "foretell/agent/testing/toy_path.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/storage/frame.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::ordered_json;
using snapshot::RecordedSnapshot;
using snapshot::TempFolder;
using testing::HasSubstr;
using testing::Not;

struct Result {
  int code;
  std::string out;
  std::string err;
};

class RecordedTest : public testing::Test {
 protected:
  Result Run(const std::vector<std::string>& args) {
    Parts parts;
    parts.catalog.push_back(std::make_unique<ToyFamily>());
    parts.engines = predictors::AllEngines();
    std::ostringstream out;
    std::ostringstream err;
    Console console{.out = out,
                    .err = err,
                    .out_style = {.utf8 = true, .columns = 120},
                    .err_style = {.utf8 = true},
                    .now = [this] { return now_ += std::chrono::milliseconds(1); },
                    .interrupted = [this] { return interrupted_; }};
    const int code = RunForetell(args, parts, console);
    return {code, out.str(), err.str()};
  }
  // Exit 2, one line on stderr that says `what`, nothing on stdout.
  void ExpectRefused(const std::vector<std::string>& args, const std::string& what) {
    const Result result = Run(args);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(what));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }

  // The toy after the first `steps` steps of its path.
  static RecordedSnapshot Recorded(uint64_t number, size_t steps) {
    const model::System system = *ToyFamily().Make("fresh", "says-yes");
    model::PlainSystem plain(*system.service, system.start);
    for (size_t i = 0; i < steps; ++i) EXPECT_TRUE(plain.Apply(ToyPath()[i]).ok());
    RecordedSnapshot recorded{
        .taken = snapshot::UnixTime(std::chrono::seconds(1'700'000'000 + number)),
        .origin = {"toy", "fresh", "says-yes", "unversioned", "0.1.0"}};
    recorded.snapshot.number = number;
    recorded.snapshot.cut = plain.state();
    return recorded;
  }
  void Append(const RecordedSnapshot& recorded) {
    const auto writer = snapshot::ArchiveWriter::Open(archive_, {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_EQ((*writer)->Append(recorded), absl::OkStatus());
  }
  // Voters say no; then a vote in which the violation is 5, then 4 steps away.
  void FillArchive() {
    RecordedSnapshot harmless = Recorded(1, 0);
    harmless.origin.bug = "";
    Append(harmless);
    Append(Recorded(2, 0));
    RecordedSnapshot partial = Recorded(3, 3);
    partial.snapshot.exact = false;
    partial.snapshot.notes = {"node 1: \x1b[2Jno answer"};
    Append(partial);
  }
  static snapshot::Bundle ToyBundle() {
    snapshot::Bundle bundle{.recorded = Recorded(7, 1),
                            .invariant = "never-elected",
                            .path = ToyPath(),
                            .engine = "lmc"};
    bundle.path.erase(bundle.path.begin());
    bundle.imagined = bundle.recorded.snapshot.cut;
    bundle.plan = {{"d-1", "never-elected", snapshot::FilterKind::kDrop, snapshot::Mode::kEnforce,
                    bundle.path[1].node, bundle.path[1].event, std::chrono::seconds(5)}};
    bundle.plan_text = "node 1 never votes";
    return bundle;
  }
  void Write(const snapshot::Bundle& bundle) {
    ASSERT_EQ(snapshot::WriteBundle(bundle_, bundle), absl::OkStatus());
  }

  const TempFolder folder_;
  const std::string archive_ = folder_.File("archive.ftl");
  const std::string bundle_ = folder_.File("bundle.ftb");
  bool interrupted_ = false;
  Console::Time now_{};
};

std::string OutputOf(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

TEST_F(RecordedTest, SnapshotsAreListed) {
  FillArchive();
  const Result result = Run({"snapshots", archive_});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("2023-11-14T22:13:22.000Z         2    3/3          0"));
  EXPECT_THAT(result.out, HasSubstr("2023-11-14T22:13:23.000Z         3    3/3"));
  EXPECT_THAT(result.out, HasSubstr("not exact: node 1: \\x1b[2Jno answer"));
  EXPECT_THAT(result.out, HasSubstr("3 snapshots of toy fresh, bug says-yes, version unversioned"));
  EXPECT_THAT(result.out, HasSubstr("no node absent in any"));
  EXPECT_THAT(result.out, Not(HasSubstr("lost")));
}

TEST_F(RecordedTest, SnapshotsAreSelected) {
  FillArchive();
  const auto numbers = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"snapshots", archive_, "--json", "-"});
    std::vector<uint64_t> found;
    const Json json = Json::parse(Run(args).out);
    for (const Json& one : json["snapshots"]) found.push_back(one["number"]);
    return found;
  };
  using testing::ElementsAre;
  EXPECT_THAT(numbers({}), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers({"--since", "2023-11-14T22:13:22Z"}), ElementsAre(2, 3));
  EXPECT_THAT(numbers({"--until", "@1700000002"}), ElementsAre(1, 2));
  EXPECT_THAT(numbers({"--number", "2"}), ElementsAre(2));
  EXPECT_THAT(numbers({"--service", "paxos"}), ElementsAre());
  EXPECT_THAT(numbers({"--absent"}), ElementsAre());
  EXPECT_THAT(Run({"snapshots", archive_, "--absent"}).out,
              HasSubstr("none of 3 snapshots was asked for"));
}

TEST_F(RecordedTest, SnapshotsTellOfDamage) {
  FillArchive();
  snapshot::WriteContents(archive_, snapshot::Contents(archive_) + "torn");
  const Result result = Run({"snapshots", archive_});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("lost: 4 bytes from byte"));
  EXPECT_THAT(result.out, HasSubstr("the tail"));
  // The last that can be read may not be the last that was written.
  EXPECT_THAT(Run({"check", "toy", "--from", archive_}).out,
              HasSubstr("Note: Lost of that archive: 4 bytes from byte"));
  const Json lost = Json::parse(Run({"snapshots", archive_, "--json", "-"}).out)["lost"];
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0]["bytes"], 4);
  EXPECT_EQ(lost[0]["tail"], true);
}

// The promise to every other tool: what is taken out is a plain Cap'n Proto message.
TEST_F(RecordedTest, StockCapnpReadsWhatIsExtracted) {
  FillArchive();
  const std::string output = folder_.File("cut.bin");
  ASSERT_EQ(Run({"snapshots", archive_, "--extract", "3", "--output", output}).code, 0);
  const std::string text =
      OutputOf(absl::StrCat("capnp decode ", FORETELL_SCHEMA, " Snapshot < ", output));
  EXPECT_THAT(text, HasSubstr("number = 3"));
  EXPECT_THAT(text, HasSubstr("takenUnixNanos = 1700000003000000000"));
  EXPECT_THAT(text, HasSubstr("service = \"toy\""));
  EXPECT_THAT(text, HasSubstr("status = down"));
  EXPECT_EQ(Run({"snapshots", archive_, "--extract", "3", "--output", "-"}).out,
            snapshot::Contents(output));
}

TEST_F(RecordedTest, SnapshotsRefuseNonsense) {
  ExpectRefused({"snapshots", folder_.File("none.ftl")}, "none.ftl: cannot open: No such file");
  ExpectRefused({"snapshots", folder_.path()}, "is a directory");
  snapshot::WriteContents(archive_, "");
  ExpectRefused({"snapshots", archive_}, "archive.ftl: is empty");
  snapshot::WriteContents(archive_, "#!/bin/sh\necho hello\n");
  ExpectRefused({"snapshots", archive_}, "archive.ftl: not an archive of snapshots");
  snapshot::WriteContents(archive_, snapshot::MakeFrame({.version = 2}, "", "x"));
  ExpectRefused({"snapshots", archive_}, "format version 2, this build reads up to 1");
  Write(ToyBundle());
  ExpectRefused({"snapshots", bundle_}, "is a bundle, not an archive");
  std::filesystem::remove(archive_);
  FillArchive();
  ExpectRefused({"snapshots", archive_, "--since", "yesterday"}, "--since: no moment 'yesterday'");
  ExpectRefused({"snapshots", archive_, "--until", "2023-13-01"}, "--until");
  ExpectRefused({"snapshots", archive_, "--number", "x"}, "--number");
  ExpectRefused({"snapshots", archive_, "--extract", "2"}, "--extract and --output go together");
  ExpectRefused({"snapshots", archive_, "--extract", "9", "--output", "-"},
                "has no snapshot 9; the first is 1, the last 3");
}

TEST_F(RecordedTest, BundleIsReproduced) {
  Write(ToyBundle());
  const Result result = Run({"replay", bundle_});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("toy, scenario fresh, bug says-yes, engine lmc, snapshot 7"));
  EXPECT_THAT(result.out, HasSubstr("the violation was 7 steps away"));
  EXPECT_THAT(result.out, HasSubstr("drop deliver Ask(term=1) from node 0 at node 1"));
  EXPECT_THAT(result.out, HasSubstr("node 1 never votes"));
  EXPECT_THAT(result.out, HasSubstr("VIOLATION of never-elected, 7 steps"));
  EXPECT_THAT(result.out, HasSubstr("foretell replay " + bundle_));
  EXPECT_THAT(Run({"replay", bundle_, "--format", "mermaid"}).out,
              testing::StartsWith("sequenceDiagram\n"));
  const std::string output = folder_.File("bug.svg");
  EXPECT_EQ(Run({"replay", bundle_, "--format", "svg", "--output", output}).code, 1);
  EXPECT_THAT(snapshot::Contents(output), HasSubstr("<svg"));
}

// The command that is printed works as it stands.
TEST_F(RecordedTest, TheCommandOfAReplayNamesItsPlugins) {
  Write(ToyBundle());
  Parts parts;
  parts.catalog.push_back(std::make_unique<ToyFamily>());
  std::ostringstream out;
  Console console{.out = out,
                  .err = out,
                  .now = [this] { return now_; },
                  .interrupted = [this] { return interrupted_; }};
  const ReplayArgs args{.file = bundle_, .plugins = {"./libtoy.so"}};
  EXPECT_EQ(RunReplay(args, parts, console), 1) << out.str();
  EXPECT_THAT(out.str(), HasSubstr("foretell replay " + bundle_ + " --plugin ./libtoy.so\n"));
}

TEST_F(RecordedTest, BundleWithoutAPlanSaysSo) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.plan.clear();
  bundle.plan_text = "node 0 may not be steered";
  Write(bundle);
  EXPECT_THAT(Run({"replay", bundle_}).out,
              HasSubstr("Nothing is known that would stop it: node 0 may not be"));
}

TEST_F(RecordedTest, BundleThatDoesNotReplayIsNotReproduced) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.path.pop_back();
  Write(bundle);
  const Result result = Run({"replay", bundle_});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("NOT reproduced"));
}

// What the code of today does from there is another question than whether the path is still one.
TEST_F(RecordedTest, ForcedASearchFromTheSameCutSaysWhetherItStillBreaks) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.path.pop_back();
  Write(bundle);
  const Result result = Run({"replay", bundle_, "--force"});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("STILL BREAKS from the recorded cut, 4 steps away, in another way"));
}

TEST_F(RecordedTest, ACutOfAnotherVersionIsCheckedIfForced) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.recorded.origin.version = "older";
  Write(bundle);
  ExpectRefused({"check", "toy", "--from", bundle_}, "; --force checks it all the same");
  const Result forced = Run({"check", "toy", "--from", bundle_, "--force"});
  EXPECT_EQ(forced.code, 1) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("Another version: recorded with version older"));
  EXPECT_THAT(forced.out, HasSubstr(" --force"));  // The command that finds it again.
  ExpectRefused({"check", "toy", "--force"}, "--force means something only to --from");
}

TEST_F(RecordedTest, ABundleOfAServiceThatIsUnknownNamesItsPlugin) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.recorded.origin.service = "mine";
  bundle.plugins = {"/elsewhere/libmine.so"};
  Write(bundle);
  ExpectRefused({"replay", bundle_},
                "it came from the plug-in /elsewhere/libmine.so: name it with");
}

TEST_F(RecordedTest, AnotherVersionIsRefusedUnlessForced) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.recorded.origin.version = "older";
  Write(bundle);
  ExpectRefused({"replay", bundle_},
                "recorded with version older of toy, this build has version "
                "unversioned; --force replays it all the same");
  const Result forced = Run({"replay", bundle_, "--force"});
  EXPECT_EQ(forced.code, 1);
  EXPECT_THAT(forced.err, HasSubstr("warning: recorded with version older"));
  ExpectRefused({"check", "toy", "--from", bundle_}, "recorded with version older of toy");
}

TEST_F(RecordedTest, BundlesOfOtherServicesAreRefused) {
  snapshot::Bundle bundle = ToyBundle();
  bundle.recorded.origin.service = "toys";
  Write(bundle);
  ExpectRefused({"replay", bundle_}, "unknown service 'toys': did you mean 'toy'?");
  bundle = ToyBundle();
  bundle.path[1].event.body = "\xff\xff";
  Write(bundle);
  ExpectRefused({"replay", bundle_}, "step 2 of 7: its 2 bytes are no deliver event");
  bundle = ToyBundle();
  bundle.invariant = "ever-elected";
  Write(bundle);
  ExpectRefused({"replay", bundle_}, "unknown invariant 'ever-elected'");
  bundle = ToyBundle();
  bundle.imagined.nodes.pop_back();
  Write(bundle);
  ExpectRefused({"replay", bundle_}, "the cut has 2 nodes, the service 3");
  Write(ToyBundle());
  ExpectRefused({"replay", bundle_, "--jobs", "2"}, "--jobs means nothing to a bundle");
  ExpectRefused({"replay", bundle_, "--format", "svgg"}, "did you mean 'svg'?");
}

// Whatever a bundle says, the answer is a drawing or one line; never a crash.
TEST_F(RecordedTest, SurvivesAnyBundle) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    snapshot::Bundle bundle = ToyBundle();
    const auto node = [&] { return model::NodeId(static_cast<uint32_t>(random() % 5)); };
    model::PathStep& step = bundle.path[random() % bundle.path.size()];
    switch (random() % 6) {
      case 0: step.node = node(); break;
      case 1: step.event.peer = node(); break;
      case 2: step.event.kind = static_cast<model::EventKind>(random() % 5); break;
      case 3: step.choices.push_back(static_cast<uint32_t>(random())); break;
      case 4: bundle.imagined.nodes[random() % 3].body += static_cast<char>(random()); break;
      default: bundle.imagined.nodes[random() % 3].status = model::NodeStatus::kAbsent; break;
    }
    if (random() % 2 == 0) bundle.plan[0].node = node();
    if (random() % 4 == 0) bundle.plan[0].event.body += "x";
    Write(bundle);
    const Result result = Run({"replay", bundle_});
    ASSERT_TRUE(result.code <= 1 || (result.code == 2 && result.out.empty())) << result.out;
  }
}

TEST_F(RecordedTest, ArchiveIsCheckedCutByCut) {
  FillArchive();
  for (const char* jobs : {"1", "3"}) {
    const Result result = Run({"replay", archive_, "--engine", "global", "--budget", "10m",
                               "--jobs", jobs, "--json", folder_.File("out.json")});
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_THAT(result.out, HasSubstr("3 checked of 3"));
    EXPECT_THAT(result.out, HasSubstr("never-elected  predicted       2  snapshot 2, "
                                      "2023-11-14T22:13:22.000Z, 5 steps away"));
    EXPECT_THAT(result.out, HasSubstr(absl::StrCat("foretell check toy --from '", archive_,
                                                   "#2' --engine global")));
    const Json json = Json::parse(snapshot::Contents(folder_.File("out.json")));
    EXPECT_EQ(json["cuts"], 3);
    EXPECT_EQ(json["checked"], 3);
    EXPECT_EQ(json["violations"][0]["invariant"], "never-elected");
    EXPECT_EQ(json["violations"][0]["cuts"], 2);
    EXPECT_EQ(json["violations"][0]["first"]["steps"], 5);
    EXPECT_EQ(json["results"][0]["outcome"], "none");
    EXPECT_EQ(json["results"][0]["complete"], true);
    EXPECT_EQ(json["results"][2]["violations"][0]["steps"], 4);
  }
}

TEST_F(RecordedTest, EveryKthCutIsEnough) {
  FillArchive();
  const Json json = Json::parse(
      Run({"replay", archive_, "--engine", "por", "--every", "2", "--budget", "10m", "--json", "-"})
          .out);
  EXPECT_EQ(json["cuts"], 2);
  EXPECT_EQ(json["results"][1]["number"], 3);
}

TEST_F(RecordedTest, HarmlessArchiveExitsWithZero) {
  RecordedSnapshot harmless = Recorded(1, 0);
  harmless.origin.bug = "";
  Append(harmless);
  const Result result = Run({"replay", archive_, "--budget", "10m"});
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, HasSubstr("No violation would have been predicted."));
}

TEST_F(RecordedTest, OtherVersionsInAnArchiveAreSkipped) {
  FillArchive();
  RecordedSnapshot old = Recorded(4, 0);
  old.origin.version = "older";
  Append(old);
  EXPECT_THAT(Run({"replay", archive_, "--budget", "10m"}).out,
              HasSubstr("Note: recorded with version older of toy, this build has version "
                        "unversioned; cuts of it were skipped"));
  const Json json =
      Json::parse(Run({"replay", archive_, "--budget", "10m", "--force", "--json", "-"}).out);
  EXPECT_EQ(json["checked"], 4);
  std::filesystem::remove(archive_);
  Append(old);
  ExpectRefused({"replay", archive_}, "recorded with version older");
}

TEST_F(RecordedTest, AnInterruptEndsAnArchiveEarly) {
  FillArchive();
  interrupted_ = true;
  const Result result = Run({"replay", archive_, "--jobs", "2"});
  EXPECT_EQ(result.code, 130);
  EXPECT_THAT(result.out, HasSubstr("0 checked of 3"));
  EXPECT_THAT(result.out, HasSubstr("Interrupted"));
}

TEST_F(RecordedTest, CutsThatAreNoneAreNamed) {
  RecordedSnapshot strange = Recorded(1, 0);
  strange.snapshot.cut.nodes[0].body = "\xff\xff\xff";
  Append(strange);
  ExpectRefused({"replay", archive_, "--budget", "10m"}, archive_);
  Append(Recorded(2, 0));
  const Result result = Run({"replay", archive_, "--budget", "10m"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("1 checked of 2"));
  EXPECT_THAT(result.out, HasSubstr("1 could not be: "));
}

TEST_F(RecordedTest, ReplayRefusesNonsense) {
  ExpectRefused({"replay", folder_.File("none")}, "none: cannot open: No such file");
  ExpectRefused({"replay", folder_.path()}, "is a directory");
  snapshot::WriteContents(archive_, "hello, this is some text of no importance at all, really\n");
  ExpectRefused({"replay", archive_}, "not an archive of snapshots");
  std::filesystem::remove(archive_);
  FillArchive();
  ExpectRefused({"replay", archive_, "--engine", "lmcc"}, "did you mean 'lmc'?");
  ExpectRefused({"replay", archive_, "--budget", "0s"}, "--budget");
  ExpectRefused({"replay", archive_, "--jobs", "0"}, "--jobs");
  ExpectRefused({"replay", archive_, "--jobs", "100000"}, "the most is 256");
  ExpectRefused({"replay", archive_, "--every", "0"}, "--every");
  ExpectRefused({"replay", archive_, "--format", "svg"}, "--format means nothing to an archive");
}

TEST_F(RecordedTest, CheckStartsFromTheLastSnapshot) {
  FillArchive();
  const Result result =
      Run({"check", "toy", "--from", archive_, "--engine", "global", "--budget", "10m"});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("VIOLATION of never-elected, 4 steps from the start"));
  EXPECT_THAT(result.out, HasSubstr("Note: Started from snapshot 3 of"));
  EXPECT_THAT(result.out, HasSubstr("Note: The cut is not exact: node 1:"));
  EXPECT_THAT(result.out, HasSubstr("--bug says-yes --from " + archive_ + " --engine global"));
}

TEST_F(RecordedTest, CheckStartsFromTheSnapshotThatIsNamed) {
  FillArchive();
  EXPECT_THAT(
      Run({"check", "toy", "--from", archive_ + "#2", "--engine", "global", "--budget", "10m"}).out,
      HasSubstr("VIOLATION of never-elected, 5 steps from the start"));
  EXPECT_EQ(Run({"check", "toy", "--from", archive_ + "#1", "--budget", "10m"}).code, 0);
  Write(ToyBundle());
  EXPECT_THAT(Run({"check", "toy", "--from", bundle_, "--engine", "global", "--budget", "10m"}).out,
              HasSubstr("VIOLATION of never-elected, 4 steps from the start"));
}

TEST_F(RecordedTest, WhatCheckFindsFromASnapshotCanBeExplained) {
  FillArchive();
  const std::string report = folder_.File("report.json");
  ASSERT_EQ(Run({"check", "toy", "--from", archive_, "--budget", "10m", "--json", report}).code, 1);
  EXPECT_EQ(Run({"explain", report}).code, 0);
}

TEST_F(RecordedTest, CheckRefusesOtherStarts) {
  FillArchive();
  ExpectRefused({"check", "toy", "--from", archive_ + "#9"}, "has no snapshot 9");
  ExpectRefused({"check", "toy", "--from", archive_ + "#x"}, "'x'");
  ExpectRefused({"check", "toy", "--from", folder_.File("none")}, "No such file");
  ExpectRefused({"check", "paxos", "--from", archive_}, "its service is 'toy', not 'paxos'");
  ExpectRefused({"check", "toy", "--scenario", "asked", "--from", archive_},
                "its scenario is 'fresh', not 'asked'");
  ExpectRefused({"check", "toy", "--from", archive_ + "#1", "--bug", "says-yes"},
                "its bug is '', not 'says-yes'");
  Write(ToyBundle());
  ExpectRefused({"check", "toy", "--from", bundle_ + "#3"}, "is a bundle, there is no snapshot #3");
}

TEST_F(RecordedTest, ProgressIsForTerminals) {
  FillArchive();
  EXPECT_EQ(Run({"replay", archive_, "--budget", "10m"}).err, "");
}

TEST_F(RecordedTest, APlanIsMadeOfflineWithItsAlternatives) {
  Write(ToyBundle());
  const Result text = Run({"plan", bundle_});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Against never-elected, 7 steps away"));
  EXPECT_THAT(text.out, HasSubstr("The plan, for all that is imagined"));
  EXPECT_THAT(text.out, HasSubstr("Alternatives, by the event of the path that they begin with"));
  const Json json = Json::parse(Run({"plan", bundle_, "--json", "-"}).out);
  EXPECT_EQ(json["invariant"], "never-elected");
  EXPECT_FALSE(json["plan"]["stops"].empty()) << json.dump(2);
  EXPECT_GT(json["alternatives"].size(), 1u) << json.dump(2);
}

TEST_F(RecordedTest, APlanIsRefusedWhatMakesNoSense) {
  Write(ToyBundle());
  ExpectRefused({"plan", bundle_, "--imagined-faults", "likely"}, "neither never nor always");
  ExpectRefused({"plan", bundle_, "--steps", "0"}, "--steps 0");
  ExpectRefused({"plan", folder_.File("none")}, "none");
}

}  // namespace
}  // namespace foretell::agent
